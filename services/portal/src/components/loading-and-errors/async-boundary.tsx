import { Component, type ReactNode, Suspense } from 'react';
import { Problem, ProblemLine } from './problem.js';
import classes from './states.module.css';

interface Props {
  children: ReactNode;
  /** In the shape of what comes. Left out where the part lies above the page: a dialog, notices. */
  skeleton?: ReactNode;
  /** The page can do without it: where it is missing nothing is said. */
  isSpare?: boolean;
}

/**
 * A part of a page whose files are loaded when it is needed. Where that fails, as while the service is restarted, it says so at its place, or
 * at the page's lower edge, and the page stays as it is. Without this it would take the whole page with it.
 */
export class AsyncBoundary extends Component<Props, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { children, skeleton, isSpare } = this.props;
    const { error } = this.state;
    if (error === null) return <Suspense fallback={skeleton}>{children}</Suspense>;
    if (isSpare) return null;
    if (skeleton !== undefined) return <Problem error={error} />;
    return (
      <div className={classes.above}>
        {/* What is typed is kept over that. */}
        <ProblemLine error={error} retry={() => location.reload()} />
      </div>
    );
  }
}
