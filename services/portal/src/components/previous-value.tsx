import classes from './previous-value.module.css';

/** A replaced value, struck through. Screen readers do not announce that, so `label` is read before the value. */
export function PreviousValue(props: { label: string; value: string; className?: string | undefined }) {
  const { label, value, className } = props;
  return (
    <s data-label={label} className={`${classes.replaced} ${className ?? ''}`}>
      {value}
    </s>
  );
}
