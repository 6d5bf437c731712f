import { NETWORK_PROPERTIES } from './network.js';
import { OBJECT_PROPERTIES } from './objects.js';
import { POD_PROPERTIES } from './pods.js';
import { SETTING_PROPERTIES } from './settings.js';

export const PROPERTIES = [...OBJECT_PROPERTIES, ...POD_PROPERTIES, ...SETTING_PROPERTIES, ...NETWORK_PROPERTIES];
