import { Component, type ReactNode, Suspense } from 'react';
import { Problem, ProblemLine } from './problem.js';
import classes from './states.module.css';

interface Props {
  children: ReactNode;
  /** Placeholder in the shape of the content. Omitted for parts above the page, such as dialogs and toasts. */
  skeleton?: ReactNode;
}

/**
 * Boundary around lazily loaded code. If loading fails, for example during a restart of the service, the error appears in place of the
 * content or at the lower edge of the page, and the rest of the page stays. Without the boundary the whole page would fail.
 */
export class AsyncBoundary extends Component<Props, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { children, skeleton } = this.props;
    const { error } = this.state;
    if (error === null) return <Suspense fallback={skeleton}>{children}</Suspense>;
    if (skeleton !== undefined) return <Problem error={error} />;
    return (
      <div className={classes.above}>
        {/* Typed text survives the reload. */}
        <ProblemLine error={error} retry={() => location.reload()} />
      </div>
    );
  }
}
