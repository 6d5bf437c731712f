import { Component, type ReactNode, Suspense } from 'react';

/**
 * What a page can do without, loaded later than the rest: where that fails it is not there, as while the service is restarted. Without
 * this it would take the whole page with it.
 */
export class Spared extends Component<{ children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? null : <Suspense>{this.props.children}</Suspense>;
  }
}
