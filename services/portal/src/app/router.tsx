import { Button, Skeleton } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import {
  type ErrorComponentProps,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  useNavigate,
} from '@tanstack/react-router';
import { readImportSearch, readOrdersSearch } from '../orders/filters/search.js';
import { Message, Problem } from '../components/loading-and-errors/states.js';
import { TextSkeleton } from '../components/loading-and-errors/skeletons.js';
import { STATES } from '../components/loading-and-errors/texts.js';
import { useTexts } from '../language/language.js';
import { Shell } from './shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/orders', replace: true });
  },
});

// Each page is a separate file, loaded on navigation.
const loadOrders = () => import('../orders/orders-page.js');
// Most users start here: loads the files while the identity provider is asked.
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
  component: lazyRouteComponent(() => import('../import-export/import-page.js'), 'ImportPage'),
});

const preferences = createRoute({
  getParentRoute: () => root,
  path: '/preferences',
  component: lazyRouteComponent(() => import('../preferences/preferences-page.js'), 'PreferencesPage'),
});

const approvalPolicies = createRoute({
  getParentRoute: () => root,
  path: '/approval-policies',
  component: lazyRouteComponent(() => import('../approval-policies/approval-policies-page.js'), 'ApprovalPoliciesPage'),
});

const routes = root.addChildren([start, orders, order, dashboard, importing, preferences, approvalPolicies]);

/** If a page fails, the navigation and the other pages still work. */
const PageProblem = ({ error, reset }: ErrorComponentProps) => <Problem level="h1" error={error} retry={reset} />;

export const createPortalRouter = () =>
  createRouter({
    routeTree: routes,
    defaultPreload: 'intent',
    defaultErrorComponent: PageProblem,
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 200,
    scrollRestoration: true,
    // Otherwise a new page of the list takes over the offset of the previous one.
    scrollToTopSelectors: ['[data-scroll-restoration-id="orders"]'],
    // Drops unknown parameters, which users may have typed or mail programs may have added.
    search: { strict: true },
  });

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The previous history entry is the list. */
    fromList?: boolean;
  }
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}

const PageSkeleton = () => (
  <>
    <Skeleton height={20} width={160} my={6} mb={22} />
    <TextSkeleton lines={6} />
  </>
);

function NotFound() {
  const texts = useTexts(STATES);
  const navigate = useNavigate();
  return (
    <Message
      level="h1"
      icon={<IconMapQuestion size={20} aria-hidden />}
      title={texts.unknown.title}
      actions={
        <Button variant="default" onClick={() => void navigate({ to: '/orders' })}>
          {texts.back}
        </Button>
      }
    >
      {texts.unknown.text}
    </Message>
  );
}
