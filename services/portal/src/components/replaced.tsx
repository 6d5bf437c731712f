import classes from './replaced.module.css';

/** A value that another one stands for. Nobody hears that it is struck through: what it is called is read before it. */
export function Replaced(props: { called: string; value: string; className?: string | undefined }) {
  const { called, value, className } = props;
  return (
    <s data-called={called} className={`${classes.replaced} ${className ?? ''}`}>
      {value}
    </s>
  );
}
