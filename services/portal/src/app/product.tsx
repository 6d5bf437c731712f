import { useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import icon from '../theme/icon.svg';
import classes from './shell.module.css';

export function Product() {
  const { product } = useTexts(TERMS);
  return (
    <span className={classes.product}>
      <img src={icon} alt="" width={20} height={20} />
      <span className={classes.productName}>{product}</span>
    </span>
  );
}
