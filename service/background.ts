/** What the service does when nobody is asking. */
import { expireRequest } from './actions/calls.ts';
import { closeConversation } from './chat/conversations.ts';
import { deliverer } from './events/deliver.ts';
import { createJobRunner, type JobRunner } from './jobs/queue.ts';
import { sourceIndexer } from './knowledge/index-job.ts';
import { forgetAnswers } from './http/idempotency.ts';
import type { Parts } from './http/environment.ts';

export const createBackground = (parts: Parts, options: { deliveryTimeoutMs: number }): JobRunner => {
  const { db, now, seal, allowLoopback } = parts;
  return createJobRunner(parts, {
    deliver: deliverer(db, { now, seal, allowLoopback, timeoutMs: options.deliveryTimeoutMs }),
    close_conversation: ({ conversation }) => closeConversation(parts, String(conversation)),
    index_source: sourceIndexer(db, { now, allowLoopback }),
    expire_request: ({ call }) => expireRequest(db, String(call)),
    forget_answers: () => forgetAnswers(parts),
  });
};
