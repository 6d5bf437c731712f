/** The users of these tests, as the claims of their tokens. */
export const USERS = {
  acme: { sub: 'f-acme', role: 'VENDOR', vendor_code: 'ACME', email: 'li@acme.example', name: 'Li Wei' },
  acme2: { sub: 'f-acme-2', role: 'VENDOR', vendor_code: 'ACME', email: 'yu@acme.example', name: 'Chen Yu' },
  bolt: { sub: 'f-bolt', role: 'VENDOR', vendor_code: 'BOLT', email: 'ana@bolt.example', name: 'Ana Souza' },
  crane: { sub: 'f-crane', role: 'VENDOR', vendor_code: 'CRANE', email: 'minh@crane.example', name: 'Minh Tran' },
  buyer: { sub: 'f-buyer', role: 'BUYER', email: 'buyer@example.com', name: 'Dana Reyes' },
  buyer2: { sub: 'f-buyer-2', role: 'BUYER', email: 'buyer2@example.com', name: 'Marta Lind' },
  admin: { sub: 'f-admin', role: 'ADMIN', email: 'admin@example.com', name: 'Sam Okafor' },
} as const;

export type UserName = keyof typeof USERS;
export const USER_NAMES = Object.keys(USERS) as UserName[];

/** Users who want an immediate mail for every transition; the others keep the default, a digest. */
export const MAILED_IMMEDIATELY: readonly UserName[] = ['acme', 'acme2', 'bolt', 'buyer'];

/** Users who mark notifications as read, which cancels the mails; the others get all their mails. */
export const READERS: readonly UserName[] = ['acme', 'crane', 'buyer2', 'admin'];

/** Users with this role; vendor users only for their own vendor code. */
export function usersOf(role: string, vendorCode: string): UserName[] {
  return USER_NAMES.filter((name) => {
    const user = USERS[name];
    return user.role === role && (!('vendor_code' in user) || user.vendor_code === vendorCode);
  });
}

export const VENDORS = [
  { code: 'ACME', name: 'Acme Apparel Ltd.' },
  { code: 'BOLT', name: 'Bolt Garments' },
  { code: 'CRANE', name: 'Crane Textiles' },
] as const;
