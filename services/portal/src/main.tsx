import { createRoot } from 'react-dom/client';
import './theme/mantine.js';
import './theme/page.css';
import { App } from './app/app.js';
import { Session } from './session/session.js';

const session = new Session();
void session.open();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App session={session} />);
