/** Connects each kind of background job with the function that does it. */
import { expireRequest } from './actions/calls.ts';
import { recoverRequest } from './actions/approved-requests.ts';
import { closeConversation } from './chat/conversations.ts';
import { createDeliveryHandler } from './events/deliver.ts';
import type { Dependencies } from './http/dependencies.ts';
import { expireResponses } from './http/idempotency.ts';
import { createJobRunner, type JobHandlers, type JobRunner } from './jobs/runner.ts';
import { createIndexFailure, createIndexHandler } from './knowledge/index-job.ts';

export const createBackground = (dependencies: Dependencies, options: { deliveryTimeoutMs: number }): JobRunner => {
  const { db, now, encryption, allowLoopback, parser } = dependencies;
  const handlers: JobHandlers = {
    deliver: createDeliveryHandler(db, { now, encryption, allowLoopback, timeoutMs: options.deliveryTimeoutMs }),
    close_conversation: ({ conversation }) => closeConversation(dependencies, String(conversation)),
    index_source: createIndexHandler(db, { now, parser, allowLoopback }),
    expire_request: ({ call }) => expireRequest(db, String(call)),
    run_request: ({ call }) => recoverRequest(dependencies, String(call)),
    forget_answers: () => expireResponses(dependencies),
  };
  return createJobRunner(dependencies, handlers, { index_source: createIndexFailure(db, { now }) });
};
