import classes from './replaced.module.css';

/** A replaced value, struck through. Screen readers do not announce that, so `called` is read before the value. */
export function Replaced(props: { called: string; value: string; className?: string | undefined }) {
  const { called, value, className } = props;
  return (
    <s data-called={called} className={`${classes.replaced} ${className ?? ''}`}>
      {value}
    </s>
  );
}
