/** Token claims of a demo user. */
export interface DemoUser {
  sub: string;
  email: string;
  name: string;
  role: 'BUYER' | 'VENDOR' | 'ADMIN' | 'VIEWER';
  vendor_code?: string;
  locale: 'en' | 'zh';
}

export const DEMO_USERS = {
  buyer: { sub: 'demo-buyer', email: 'buyer@example.com', name: 'Dana Reyes', role: 'BUYER', locale: 'en' },
  buyer2: { sub: 'demo-buyer-2', email: 'buyer2@example.com', name: 'Marta Lind', role: 'BUYER', locale: 'en' },
  'vendor:ACME': {
    sub: 'demo-acme',
    email: 'li.wei@acme.example',
    name: '李伟',
    role: 'VENDOR',
    vendor_code: 'ACME',
    locale: 'zh',
  },
  'vendor:ACME:2': {
    sub: 'demo-acme-2',
    email: 'chen.yu@acme.example',
    name: '陈瑜',
    role: 'VENDOR',
    vendor_code: 'ACME',
    locale: 'zh',
  },
  'vendor:BOLT': {
    sub: 'demo-bolt',
    email: 'ana.souza@bolt.example',
    name: 'Ana Souza',
    role: 'VENDOR',
    vendor_code: 'BOLT',
    locale: 'en',
  },
  'vendor:CRANE': {
    sub: 'demo-crane',
    email: 'minh.tran@crane.example',
    name: 'Minh Tran',
    role: 'VENDOR',
    vendor_code: 'CRANE',
    locale: 'en',
  },
  admin: { sub: 'demo-admin', email: 'admin@example.com', name: 'Sam Okafor', role: 'ADMIN', locale: 'en' },
  viewer: { sub: 'demo-viewer', email: 'viewer@example.com', name: 'Kim Park', role: 'VIEWER', locale: 'en' },
} as const satisfies Record<string, DemoUser>;

export type DemoUserName = keyof typeof DEMO_USERS;

export const isDemoUser = (name: string): name is DemoUserName => Object.hasOwn(DEMO_USERS, name);
