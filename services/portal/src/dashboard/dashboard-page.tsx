import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api.js';
import { PageHead } from '../elements/page.js';
import { StatusBadge } from '../elements/status-badge.js';
import { useFormats, useTexts } from '../language/language.js';
import { Loaded } from '../states/loaded.js';
import { TextSkeleton } from '../states/skeletons.js';
import { DASHBOARD } from './texts.js';
import classes from './dashboard.module.css';

/** How many orders are in each status, each a way to them. */
export function DashboardPage() {
  const texts = useTexts(DASHBOARD);
  const formats = useFormats();
  const { queries } = useApi();
  const filters = useQuery(queries.filters());
  const kpis = useQuery(queries.kpis());
  const skeleton = <TextSkeleton lines={4} />;
  return (
    <>
      <PageHead title={texts.title} />
      <Loaded query={filters} skeleton={skeleton}>
        {({ statusDetails }) => (
          <Loaded query={kpis} skeleton={skeleton}>
            {(counts) => (
              <ul className={classes.tiles}>
                {statusDetails.map((status) => (
                  <li key={status.statusId}>
                    <Link to="/orders" search={{ status: [status.status] }} className={classes.tile}>
                      <StatusBadge status={status} />
                      <span className={classes.count}>
                        {formats.quantity(counts[status.kpiKey as keyof typeof counts])}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}
