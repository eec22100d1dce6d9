/** Connects the background work with the functions that do it. */
import { expireRequest } from './actions/calls.ts';
import { giveUpRequest, recoverRequest } from './actions/approved-requests.ts';
import { eraseExpired } from './contacts/retention.ts';
import { closeConversation } from './chat/conversations.ts';
import { createPruneHandler, prune, pruneIntervalMs } from './db/retention.ts';
import { createDeliveryQueue } from './events/delivery-queue.ts';
import type { Dependencies } from './http/dependencies.ts';
import { createJobLanes, type JobHandlers } from './jobs/job-lanes.ts';
import { addRecurringJob } from './jobs/queue.ts';
import { createRunner, type JobRunner } from './jobs/runner.ts';
import { createNoticeHandler, giveUpNotice } from './mail/send-notice.ts';
import { addMissingEmbeddings, createEmbedHandler } from './knowledge/embed-job.ts';
import { createIndexFailure, createIndexHandler } from './knowledge/index-job.ts';
import { addOutdatedTerms, createTermsHandler } from './knowledge/terms-job.ts';

export const createBackground = async (
  dependencies: Dependencies,
  { deliveryTimeoutMs }: { deliveryTimeoutMs: number },
): Promise<JobRunner> => {
  const { db, now, log, parser, allowLoopback, embedder, closing } = dependencies;
  const handlers: JobHandlers = {
    close_conversation: ({ conversation }) => closeConversation(dependencies, String(conversation)),
    index_source: createIndexHandler(db, { now, parser, allowLoopback, embedder, closing }),
    embed_source: createEmbedHandler(db, embedder, { now, log, closing }),
    update_terms: createTermsHandler(db, { parser }),
    expire_request: ({ call }) => expireRequest(db, String(call)),
    send_notice: createNoticeHandler(dependencies),
    run_request: ({ call }) => recoverRequest(dependencies, String(call)),
    prune: createPruneHandler({ log, now }, [
      () => prune({ db, now }),
      () => eraseExpired({ db, now, log }, dependencies.retention),
    ]),
  };
  await addRecurringJob(db, 'prune', new Date(now()));
  await addOutdatedTerms(db, new Date(now()));
  if (embedder) await addMissingEmbeddings(db, embedder, new Date(now()));
  const failures: Partial<JobHandlers> = {
    index_source: createIndexFailure(db, { now }),
    run_request: ({ call }) => giveUpRequest(db, String(call)),
    send_notice: ({ notice }) => giveUpNotice(db, String(notice)),
    // Nothing would add it before the next start.
    prune: async () => new Date(now() + pruneIntervalMs),
  };
  return createRunner(log, [
    createJobLanes(dependencies, handlers, failures),
    createDeliveryQueue({ ...dependencies, deliveryTimeoutMs }),
  ]);
};
