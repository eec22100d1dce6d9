/** What the service does when nobody is asking. */
import { expireRequest } from './actions/calls.ts';
import { closeConversation } from './chat/conversations.ts';
import { createDeliveryHandler } from './events/deliver.ts';
import { createJobRunner, type JobRunner } from './jobs/queue.ts';
import { createIndexHandler } from './knowledge/index-job.ts';
import { expireResponses } from './http/idempotency.ts';
import type { Dependencies } from './http/environment.ts';

export const createBackground = (dependencies: Dependencies, options: { deliveryTimeoutMs: number }): JobRunner => {
  const { db, now, encryption, allowLoopback } = dependencies;
  return createJobRunner(dependencies, {
    deliver: createDeliveryHandler(db, { now, encryption, allowLoopback, timeoutMs: options.deliveryTimeoutMs }),
    close_conversation: ({ conversation }) => closeConversation(dependencies, String(conversation)),
    index_source: createIndexHandler(db, { now, allowLoopback }),
    expire_request: ({ call }) => expireRequest(db, String(call)),
    forget_answers: () => expireResponses(dependencies),
  });
};
