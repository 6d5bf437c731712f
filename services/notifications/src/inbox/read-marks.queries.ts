import { Injectable } from '@nestjs/common';
import type { ReadMark, ReadMarksQuery } from '@po/contracts';
import type { Statement } from '@po/database';
import { type Reply, ok } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { AUDIENCE_OF_USER, isNotificationId } from './inbox.js';

/** $1: ids of notifications. Only those that their users may still see and whose kind has not been turned off. */
const READ_MARKS: Statement = {
  name: 'inbox-read-marks',
  text: `
    SELECT n.id, n.read_at IS NOT NULL OR n.seq <= COALESCE(i.read_to, 0) AS read
      FROM notifications n JOIN users u ON u.user_id = n.user_id
      LEFT JOIN inboxes i ON i.user_id = n.user_id AND i.audience = n.audience
      LEFT JOIN preferences p ON p.user_id = n.user_id
     WHERE n.id = ANY($1::uuid[]) AND n.audience = ${AUDIENCE_OF_USER} AND p.mail ->> n.kind IS DISTINCT FROM 'off'`,
};

/** Read marks for the mail service. */
@Injectable()
export class ReadMarksQueries {
  constructor(private readonly databases: Databases) {}

  /** Whether the user has read each notification. Omits those that the user may not see or gets no mail about. */
  async readMarks({ ids }: ReadMarksQuery): Promise<Reply<ReadMark[]>> {
    return ok(await this.databases.internal.read<ReadMark>(null, READ_MARKS, [ids.filter(isNotificationId)]));
  }
}
