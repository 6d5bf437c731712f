import { checkApprovals } from './approvals.js';
import { checkDashboards } from './dashboards.js';
import { checkDeadLetters } from './dead-letters.js';
import type { Evidence, Violation } from './evidence.js';
import { checkMails } from './mails.js';
import { checkMessages } from './messages.js';
import { checkNotifications } from './notifications.js';
import { checkTopics } from './topics.js';
import { checkWorkflow } from './workflow.js';
import { checkWrites } from './writes.js';

/** All violations of a system at rest; empty if it kept every promise. */
export const violationsOf = (evidence: Evidence): Violation[] => [
  ...checkWrites(evidence),
  ...checkWorkflow(evidence),
  ...checkApprovals(evidence),
  ...checkTopics(evidence),
  ...checkMessages(evidence),
  ...checkNotifications(evidence),
  ...checkMails(evidence),
  ...checkDashboards(evidence),
  ...checkDeadLetters(evidence),
];
