export { eventually } from '../../../deploy/local/eventually.js';
