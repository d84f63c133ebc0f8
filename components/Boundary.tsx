import { Component, type ComponentChildren } from 'preact';
import { t } from './text';

interface BoundaryProps {
  children: ComponentChildren;
}

/**
 * One part of a view that may fail to draw without taking the rest along: what it shows came from a
 * page, a model or a file.
 */
export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidUpdate({ children }: BoundaryProps): void {
    // Other contents may well draw; the same would only fail again.
    if (this.state.failed && children !== this.props.children) this.setState({ failed: false });
  }

  override render({ children }: BoundaryProps, { failed }: { failed: boolean }) {
    return failed ? (
      <p class="quiet" data-testid="undrawable">
        {t('undrawable')}
      </p>
    ) : (
      children
    );
  }
}
