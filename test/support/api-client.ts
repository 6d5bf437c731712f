export { type Answer, type Api, apiClient } from '../../deploy/local/api-client.js';
