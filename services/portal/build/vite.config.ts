import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';
import { workerLicences } from './worker-licences.ts';
import { compressFiles, firstPaint, silentPage } from './plugins.ts';

/** Placeholder that the gateway replaces by the nonce of each response. */
const NONCE = '__CSP_NONCE__';
const DEV_PORT = 5173;
const NOTICES = 'third-party-licences.txt';

/** Sixty small files compress worse than a few large ones, and each has its own headers. */
const FILES = [
  // Separate, because the frame of the silent sign-in needs nothing else.
  { name: 'sign-in', test: /node_modules\/(oidc-client-ts|jwt-decode)\//, priority: 2 },
  { name: 'first', tags: ['$initial' as const], test: /^(?!.*signed-in-silently)/, priority: 1 },
  {
    name: 'pages',
    // Excludes the leave guard and the confirm dialog: dialogs, which they would pull in, are loaded on demand.
    test: /\/src\/(components(?!\/(leave-guard|(confirm-)?dialog))|theme)\/|\/components\/(Text)?Input|\/icons-react\//,
    minShareCount: 3,
  },
  // Shared by the list of orders and its dialogs, which are loaded later. Otherwise each module would be a file of the first load.
  {
    name: 'list',
    test: /\/src\/orders\/(?!views\/(saved|built-in)|dialog|bulk|texts)/,
    minShareCount: 2,
  },
  // Small modules that several pages use, but not the list.
  { name: 'approvals', test: /\/src\/(approvals\/|api\/approval-policies)/ },
];

const inPortal = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export default defineConfig(({ mode }) => {
  // npm run dev:portal: serves the pages with hot reload and proxies everything else to a running gateway.
  const { GATEWAY = 'http://127.0.0.1:8080' } = loadEnv(mode, inPortal('.'), 'GATEWAY');
  const proxied = ['/api', '/portal.json', '/docs', '/problems', `/${NOTICES}`];
  const { ofWorkers, ofPages } = workerLicences(NOTICES);
  return {
    root: inPortal('.'),
    cacheDir: inPortal('dist/.vite'),
    appType: 'spa',
    plugins: [react(), firstPaint(), silentPage(), { ...ofPages, apply: 'build' }, compressFiles()],
    worker: { plugins: () => [ofWorkers] },
    html: mode === 'production' ? { cspNonce: NONCE } : {},
    server: {
      host: '127.0.0.1',
      port: DEV_PORT,
      strictPort: true,
      proxy: Object.fromEntries(proxied.map((path) => [path, { target: GATEWAY, changeOrigin: false }])),
    },
    build: {
      outDir: 'dist/site',
      emptyOutDir: true,
      // The first versions that support light-dark() in CSS.
      target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // The license texts of every bundled package, which the licenses require to be distributed.
      license: { fileName: NOTICES },
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        input: [inPortal('index.html'), inPortal('signed-in-silently.html')],
        output: { codeSplitting: { groups: FILES } },
      },
    },
  };
});
