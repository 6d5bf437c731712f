import { UserManager } from 'oidc-client-ts';

// In a frame of the page that asks the identity provider silently: tells it the answer, which stands in this frame's address.
await new UserManager({ authority: '', client_id: '', redirect_uri: '' }).signinSilentCallback();
