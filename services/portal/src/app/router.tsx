import {
  type ErrorComponentProps,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readImportSearch } from '../exchange/import-search.js';
import { readOrdersSearch } from '../orders/search.js';
import { Problem } from '../states/problem.js';
import { NotFound } from './not-found.js';
import { PageSkeleton } from './page-skeleton.js';
import { Shell } from './shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/orders', replace: true });
  },
});

// Each page is a file of its own, loaded when it is gone to.
const loadOrders = () => import('../orders/orders-page.js');
// Where most begin: its files come while the identity provider is asked.
if (['/', '/orders', '/signed-in'].includes(location.pathname)) loadOrders().catch(() => undefined);

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: readOrdersSearch,
  component: lazyRouteComponent(loadOrders, 'OrdersPage'),
});

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$poRef',
  component: lazyRouteComponent(() => import('../order/order-page.js'), 'OrderPage'),
});

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('../dashboard/dashboard-page.js'), 'DashboardPage'),
});

const importing = createRoute({
  getParentRoute: () => root,
  path: '/import',
  validateSearch: readImportSearch,
  component: lazyRouteComponent(() => import('../exchange/import-page.js'), 'ImportPage'),
});

const routes = root.addChildren([start, orders, order, dashboard, importing]);

/** A page that broke leaves the others, and the way to them, as they are. */
const PageProblem = ({ error, reset }: ErrorComponentProps) => <Problem error={error} retry={reset} />;

export const createPortalRouter = () =>
  createRouter({
    routeTree: routes,
    defaultPreload: 'intent',
    defaultErrorComponent: PageProblem,
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 200,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
