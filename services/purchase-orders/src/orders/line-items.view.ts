import type { Order } from '../domain/order.js';
import { arrayOf, elementOf } from './json-bytes.js';
import { itemsOf, lineItemOf, oncePerItem } from '../domain/values.js';

const serializeItem = oncePerItem((cells) => elementOf(lineItemOf(cells)));

/** The line items that people see, as JSON. */
export const serializeLineItems = (order: Order): Buffer => arrayOf(itemsOf(order).map(serializeItem));
