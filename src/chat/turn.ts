/** One turn: a message of the visitor on its way to the service, and the answer on its way back. */
import { abortable, sleep, type Clock } from '../api/clock.ts';
import type { ApiClient } from '../api/client.ts';
import { ApiError, type Stage } from '../api/errors.ts';
import type { ChatRequest, ChatResponse, ClientToolCall } from '../../contract/wire.ts';
import type { Archive } from './storage/archive.ts';
import type { ChatEvent } from './state/chat-event.ts';
import type { Connectivity } from './connectivity.ts';
import type { Identified } from './identity.ts';
import { recover } from './recovery.ts';
import type { ConversationState, VisitorMessage } from './state/state.ts';
import type { Store } from './state/store.ts';
import type { StreamingChoice } from './streaming-choice.ts';
import type { ClientTools } from './tools/client-tools.ts';

/** A plain call that may have arrived, or is on its way: repeated, it must be the same call. */
export interface FrozenCall {
  readonly body: string;
  readonly idempotencyKey: string;
}

/** The conversation, as its turns see it. */
export interface TurnHost {
  readonly client: ApiClient;
  readonly store: Store<ConversationState, ChatEvent>;
  readonly archive: Archive;
  /** The page's tools; null while it has none. */
  tools(): ClientTools | null;
  readonly connectivity: Connectivity;
  readonly clock: Clock;
  readonly createId: () => string;
  readonly random: () => number;
  readonly locale: () => 'en' | 'ar';
  readonly streaming: () => 'auto' | 'off';
  readonly streamingChoice: StreamingChoice;
  /** By message key, over the turns. */
  readonly frozenCalls: Map<string, FrozenCall>;
  /** Takes over what other tabs have said meanwhile. */
  catchUp(): Promise<void>;
  /** Who the visitor is now; another visitor's conversation is gone when it settles. */
  identify(): Promise<Identified | null>;
  canRenewProof(): boolean;
  /** The conversation is over: the message begins a new one. */
  restart(code: string): void;
  /** The visitor's answer to a client tool's prompt. */
  consent(callId: string, signal: AbortSignal): Promise<boolean>;
}

/** How long a stopped first answer is read on for the pair, in milliseconds. */
const credentialsTimeout = 60_000;

export class Turn {
  readonly message: VisitorMessage;
  readonly #host: TurnHost;
  readonly #abort = new AbortController();
  /** The visitor has stopped it, and it reads on only to learn the conversation's pair. */
  #isHidden = false;
  #stage: Stage = 'refused';
  /** The service has said itself that its answer failed. */
  #isTold = false;

  constructor(message: VisitorMessage, host: TurnHost) {
    this.message = message;
    this.#host = host;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isHidden(): boolean {
    return this.#isHidden;
  }

  /** How far the message has come; `refused` also before it was posted. */
  get stage(): Stage {
    return this.#stage;
  }

  abort(): void {
    this.#abort.abort();
  }

  /** Shows nothing more, and ends once the conversation's pair is known. */
  hide(): void {
    this.#isHidden = true;
    const cancel = this.#host.clock.after(credentialsTimeout, () => this.abort());
    this.signal.addEventListener('abort', cancel, { once: true });
  }

  /**
   * The whole turn, top to bottom.
   * @throws {ApiError} When it failed; the signal's reason when it was aborted.
   */
  async run(): Promise<ChatResponse | null> {
    const { archive, clock, connectivity, frozenCalls, random, streaming, streamingChoice } = this.#host;
    const { key } = this.message;
    let isDoubtful = frozenCalls.has(key);
    await this.#host.catchUp();
    let identified = await this.#identify();
    const { owner } = archive;
    const isPlain = streaming() === 'off' || isDoubtful || streamingChoice.takePlainTurn();
    const past = { isPlain, tries: 0, hasRestarted: false, hasRenewed: false };
    for (;;) {
      if (!connectivity.isOnline()) {
        this.#show({ type: 'turn-delayed', reason: 'offline', until: null });
        await connectivity.whenOnline(this.signal);
      }
      this.signal.throwIfAborted();
      // What somebody says is theirs from the moment it leaves, whatever becomes of the answer.
      if (identified) archive.owner = identified.owner;
      this.#stage = 'unconfirmed';
      this.#show({ type: 'turn-posted' });
      await archive.flush();
      try {
        return await (isPlain ? this.#ask(identified) : this.#stream(identified));
      } catch (error) {
        this.signal.throwIfAborted();
        if (!(error instanceof ApiError)) throw error;
        if (error.stage !== 'refused') {
          if (isPlain) isDoubtful = true;
          else if (!this.#isTold) streamingChoice.failed();
        } else if (!isDoubtful) {
          frozenCalls.delete(key);
          archive.owner = owner;
        }
        this.#stage = isDoubtful ? 'unconfirmed' : error.stage;
        const hasConversation = archive.pair !== null;
        const canRenewProof = this.#host.canRenewProof();
        const recovery = recover(error, { ...past, isDoubtful, hasConversation, canRenewProof }, random);
        switch (recovery.kind) {
          case 'fail':
            throw error;
          case 'wait':
            past.tries++;
            this.#show({ type: 'turn-delayed', reason: recovery.reason, until: clock.now() + recovery.delay });
            await sleep(clock, recovery.delay, this.signal);
            break;
          case 'renew-proof':
            past.hasRenewed = true;
            identified = await this.#identify();
            break;
          case 'restart':
            past.hasRestarted = true;
            this.#host.restart(error.code);
            break;
        }
      }
    }
  }

  async #stream(identified: Identified | null): Promise<ChatResponse | null> {
    const { client, clock, createId, store, streamingChoice } = this.#host;
    const answerKey = createId();
    const stream = client.stream(this.#request(identified, this.#host.tools()?.names), {
      signal: this.signal,
      onAccepted: () => {
        this.#stage = 'accepted';
        this.#show({ type: 'reply-started', key: answerKey, at: clock.now() });
      },
    });
    for await (const event of stream) {
      switch (event.type) {
        case 'delta':
          this.#show({ type: 'text-added', text: event.text });
          break;
        case 'sources':
          this.#show({ type: 'sources-found', sources: event.sources });
          break;
        case 'blocks':
          this.#show({ type: 'blocks-added', blocks: event.blocks });
          break;
        case 'client_tool': {
          const { call } = event;
          await this.#saveCredentials(call.conversation_id, call.conversation_token);
          if (!this.#isHidden) void this.#runTool(call).finally(stream.hold());
          break;
        }
        case 'done':
          streamingChoice.succeeded();
          return this.#end(event.response, answerKey);
        case 'error': {
          const { code, message, requestId } = event.error;
          // The stream itself was none the worse for it.
          this.#isTold = true;
          throw new ApiError(code || 'interrupted', 'accepted', { detail: message, requestId });
        }
        case 'outcome':
          // What it tells comes again in `done`, together with the answer that it belongs to.
          break;
      }
      if (this.#isHidden && store.state.conversationId !== null) return null;
    }
    throw new ApiError('interrupted', 'accepted');
  }

  async #ask(identified: Identified | null): Promise<ChatResponse | null> {
    const { client, createId, frozenCalls } = this.#host;
    const { key } = this.message;
    const call = frozenCalls.get(key) ?? {
      body: JSON.stringify(this.#request(identified)),
      idempotencyKey: createId(),
    };
    frozenCalls.set(key, call);
    const response = await client.ask(call.body, call.idempotencyKey, this.signal);
    frozenCalls.delete(key);
    this.#stage = 'accepted';
    return this.#end(response, createId());
  }

  /** The page's own function may take its time; the visitor need not. */
  #identify(): Promise<Identified | null> {
    return abortable(this.#host.identify(), this.signal);
  }

  #request(identified: Identified | null, toolNames: string[] = []): ChatRequest {
    const { archive, locale } = this.#host;
    const { pair } = archive;
    return {
      messages: [{ role: 'user', content: this.message.text }],
      ...(pair && { conversation_id: pair.conversationId, conversation_token: pair.token }),
      locale: locale(),
      ...(identified && { contact: identified.proof }),
      ...(toolNames.length > 0 && { client_tools: toolNames }),
    };
  }

  async #end(response: ChatResponse, key: string): Promise<ChatResponse | null> {
    await this.#saveCredentials(response.conversation_id, response.conversation_token);
    this.#show({ type: 'reply-ended', response, key, at: this.#host.clock.now() });
    // The next tab's turn begins with what is on disk.
    await this.#host.archive.flush();
    return this.#isHidden ? null : response;
  }

  /** On disk before the answer that carried it counts as done. Half a pair is worth nothing and is not kept. */
  async #saveCredentials(conversationId: string, token: string | undefined): Promise<void> {
    const { archive, store } = this.#host;
    if (!conversationId || !token || archive.pair?.conversationId === conversationId) return;
    archive.token = token;
    store.dispatch({ type: 'conversation-known', conversationId });
    await archive.flush();
  }

  async #runTool(call: ClientToolCall): Promise<void> {
    const { archive, client, clock, consent, random } = this.#host;
    await this.#host.tools()?.run(call, {
      clock,
      random,
      signal: this.signal,
      report: (run) => this.#show({ type: 'tool-changed', run }),
      consent,
      claim: (callId) => archive.claim(callId),
      post: (result, signal) => client.postToolResult(result, signal),
    });
  }

  #show(event: ChatEvent): void {
    if (!this.#isHidden && !this.signal.aborted) this.#host.store.dispatch(event);
  }
}
