import type { CommentRequirements } from '../domain/workflow.js';

/** Which actions need a comment in this installation. A class, so that it can be injected. */
export class CommentRules {
  constructor(readonly commentRequired: CommentRequirements) {}
}
