import { Component, type ReactNode } from 'react';
import { FailureText } from '../../lib/ui/failure.tsx';

interface State {
  error: Error | null;
}

/** Limits a rendering error to one screen. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    return error ? <FailureText error={error} onRetry={() => this.setState({ error: null })} /> : this.props.children;
  }
}
