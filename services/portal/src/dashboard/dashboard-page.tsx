import { PageHeader } from '../components/page.js';
import { useTexts } from '../language/language.js';
import { ActivityPanel } from './activity-panel.js';
import { AutomaticShare } from './automatic-share.js';
import { OverduePanel } from './overdue-panel.js';
import { StatusPanel } from './status-panel.js';
import { Tiles } from './tiles.js';
import { WeeksPanel } from './weeks-panel.js';
import { DASHBOARD } from './texts.js';
import classes from './dashboard.module.css';

/** Overview of the orders, updated as they change. The tiles and panels link to the orders that they show, except the weekly chart. */
export function DashboardPage() {
  const texts = useTexts(DASHBOARD);
  return (
    <>
      <PageHeader title={texts.title} aside={<AutomaticShare />} />
      <Tiles />
      <div className={classes.panels}>
        <div className={classes.weeks}>
          <WeeksPanel />
        </div>
        <div className={classes.overdue}>
          <OverduePanel />
        </div>
        <div className={classes.statuses}>
          <StatusPanel />
        </div>
        <div className={classes.activity}>
          <ActivityPanel />
        </div>
      </div>
    </>
  );
}
