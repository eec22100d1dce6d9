/** One turn: it sends a visitor's message and receives the reply. */
import { anySignal } from '../api/abort.ts';
import { abortable, sleep } from '../api/clock.ts';
import { toText } from '../api/decode-values.ts';
import { toJson } from '../api/encoding.ts';
import { ApiError, type Stage } from '../api/errors.ts';
import type { ChatRequest, ChatResponse, JsonObject } from '../../contract/wire.ts';
import type { ChatEvent } from './state/chat-event.ts';
import { visitorMessage } from './state/messages.ts';
import { withStreamed } from './state/reply-events.ts';
import type { Identified } from './identity.ts';
import { recover, type Attempt } from './recovery.ts';
import { liveReply, type ToolRun, type VisitorMessage, type WaitReason } from './state/state.ts';
import type { TurnHost } from './turn-host.ts';

/** Milliseconds for which a stopped first reply is read to receive the credentials. */
const credentialsTimeout = 60_000;

export class Turn {
  readonly message: VisitorMessage;
  readonly #host: TurnHost;
  readonly #abort = new AbortController();
  /** Whether the visitor has stopped the turn, which only waits for the credentials. */
  #isHidden = false;
  #stage: Stage = 'refused';
  #isStarted = false;
  /** Resolves when the turn may continue. Set while its conversation is locked. */
  #held: { isOver: Promise<void>; release: () => void } | null = null;
  /** Aborts the tool calls when the reply ends or is hidden. The turn may end later, and a result would not be used. */
  readonly #toolCalls = new AbortController();
  /** Whether the service has reported a failed reply, or has sent a response without one. The message has arrived in both cases. */
  #hasServiceFailed = false;

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

  /** Whether the conversation still shows what happens in the turn. */
  get isShown(): boolean {
    return !this.#isHidden && !this.signal.aborted;
  }

  /** How far the message got. `refused` also before it was posted. */
  get stage(): Stage {
    return this.#stage;
  }

  /** Whether the message has left the queue, for the transcript. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  get isHeld(): boolean {
    return this.#held !== null;
  }

  abort(): void {
    this.#abort.abort();
  }

  /** Applies an event to the conversation of this turn, also while that is locked. The visitor sees nothing more of a stopped turn. */
  dispatch(event: ChatEvent): void {
    if (!this.isShown) return;
    const { archive, store } = this.#host;
    if (this.#held) archive.held.dispatch(event);
    else store.dispatch(event);
  }

  /** Moves the message from the queue into the transcript, once. */
  start(): void {
    if (!this.#isStarted) this.dispatch({ type: 'turn-sent', message: this.message });
    this.#isStarted = true;
  }

  /** Pauses the turn: nothing is sent, and nothing that arrives is processed. */
  hold(): void {
    if (this.#held) return;
    let release = () => {};
    const isOver = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held = { isOver, release };
  }

  release(): void {
    this.#held?.release();
    this.#held = null;
  }

  /** Stops showing the reply, and ends the turn when the credentials have arrived. */
  hide(): void {
    this.#isHidden = true;
    this.#toolCalls.abort();
    const cancel = this.#host.clock.after(credentialsTimeout, () => this.abort());
    this.signal.addEventListener('abort', cancel, { once: true });
  }

  /**
   * Runs the whole turn.
   * @throws {ApiError} When it failed. When the signal aborted, it throws the signal's reason.
   */
  async run(): Promise<ChatResponse | null> {
    const { readChanges, restart, store } = this.#host;
    await readChanges();
    if (visitorMessage(store.state, this.message.key)?.delivery === 'confirmed') {
      // Another tab has sent it again meanwhile.
      this.dispatch({ type: 'turn-stopped' });
      return null;
    }
    let attempt = this.#firstAttempt();
    for (;;) {
      try {
        return await this.#post(attempt);
      } catch (error) {
        this.signal.throwIfAborted();
        if (!(error instanceof ApiError)) throw error;
        attempt = this.#recordFailure(attempt, error);
        const recovery = recover(error, attempt, this.#host);
        // What the visitor has stopped is not sent once more.
        if (recovery.kind === 'fail' || this.#isHidden) throw error;
        attempt = { ...attempt, recoveries: [...attempt.recoveries, recovery.kind] };
        if (recovery.kind === 'wait') await this.#wait(recovery.reason, recovery.delay);
        if (recovery.kind === 'restart') restart(error.code);
      }
    }
  }

  #firstAttempt(): Attempt {
    const { frozenCalls, streaming, streamingChoice } = this.#host;
    const mayHaveArrived = frozenCalls.has(this.message.key);
    const isPlain = streaming() === 'off' || mayHaveArrived || streamingChoice.usePlainCall();
    return { mode: isPlain ? 'plain' : 'streamed', mayHaveArrived, recoveries: [] };
  }

  async #post({ mode, recoveries }: Attempt): Promise<ChatResponse | null> {
    const { archive, connectivity, store, visitor } = this.#host;
    let hasWaited = recoveries.includes('wait');
    let identified: Identified | null;
    do {
      if (!connectivity.isOnline()) {
        hasWaited = true;
        this.dispatch({ type: 'turn-delayed', reason: 'offline', until: null });
        await connectivity.whenOnline(this.signal);
      }
      // The proof is requested after every wait: another visitor may be signed in by now.
      identified = await abortable(visitor.identify(!hasWaited), this.signal);
      await this.whenReleased();
      this.dispatch({ type: 'turn-posted' });
      await archive.flush();
      this.signal.throwIfAborted();
      // The record that is written may have been assigned to a visitor, so that the conversation is locked.
    } while (!connectivity.isOnline() || store.state.status === 'locked');
    this.#stage = 'unconfirmed';
    return mode === 'plain' ? this.#sendPlain(identified) : this.#stream(identified);
  }

  /** Settles when the conversation is not locked. Rejects when the turn was ended. */
  async whenReleased(): Promise<void> {
    this.signal.throwIfAborted();
    while (this.#held) await abortable(this.#held.isOver, this.signal);
  }

  /** Records how far a failed attempt got. */
  #recordFailure(attempt: Attempt, { stage }: ApiError): Attempt {
    const { frozenCalls, streamingChoice } = this.#host;
    const isPlain = attempt.mode === 'plain';
    const mayHaveArrived = !this.#hasServiceFailed && (attempt.mayHaveArrived || (isPlain && stage !== 'refused'));
    if (!isPlain && stage !== 'refused' && !this.#hasServiceFailed) streamingChoice.recordFailure();
    if (stage === 'refused' && !mayHaveArrived) frozenCalls.delete(this.message.key);
    this.#stage = mayHaveArrived ? 'unconfirmed' : stage;
    return { ...attempt, mayHaveArrived };
  }

  async #wait(reason: WaitReason, delay: number): Promise<void> {
    const { clock } = this.#host;
    this.dispatch({ type: 'turn-delayed', reason, until: clock.monotonic() + delay });
    await sleep(clock, delay, this.signal);
  }

  async #stream(identified: Identified | null): Promise<ChatResponse | null> {
    const { client, clock, createId, store, streamingChoice, tools } = this.#host;
    const replyKey = createId();
    const stream = client.stream(this.#request(identified, tools.names), {
      signal: this.signal,
      onAccepted: () => {
        this.#stage = 'accepted';
        this.dispatch({ type: 'reply-started', key: replyKey, at: clock.now() });
      },
    });
    for await (const event of stream) {
      await this.whenReleased();
      switch (event.type) {
        case 'delta':
          this.dispatch({ type: 'text-added', text: event.text });
          break;
        case 'sources':
          this.dispatch({ type: 'sources-found', sources: event.sources });
          break;
        case 'blocks':
          this.dispatch({ type: 'blocks-added', blocks: event.blocks });
          break;
        case 'client_tool': {
          const { data } = event;
          await this.#saveCredentials(toText(data['conversation_id']), toText(data['conversation_token']));
          if (!this.#isHidden) void this.#runTool(data).finally(stream.suspend());
          break;
        }
        case 'done':
          streamingChoice.recordSuccess();
          return this.#end(event.response, replyKey);
        case 'error': {
          const { code, message, requestId } = event.error;
          // The stream itself worked, so the next turn may stream again.
          this.#hasServiceFailed = true;
          throw new ApiError(code || 'interrupted', 'accepted', { detail: message, requestId });
        }
      }
      if (this.#isHidden && store.state.conversationId !== null) return null;
    }
    throw new ApiError('interrupted', 'accepted');
  }

  async #sendPlain(identified: Identified | null): Promise<ChatResponse | null> {
    const { archive, client, createId, frozenCalls } = this.#host;
    const { key } = this.message;
    const call = frozenCalls.get(key) ?? {
      body: toJson(this.#request(identified)),
      idempotencyKey: createId(),
      conversationId: archive.credentials?.conversationId ?? null,
    };
    frozenCalls.set(key, call);
    const response = await client.sendPlain(call.body, call.idempotencyKey, this.signal);
    await this.whenReleased();
    frozenCalls.delete(key);
    this.#stage = 'accepted';
    return this.#end(response, createId());
  }

  #request(identified: Identified | null, toolNames: string[] = []): ChatRequest {
    const { archive, locale } = this.#host;
    const { credentials } = archive;
    return {
      messages: [{ role: 'user', content: this.message.text }],
      ...(credentials && { conversation_id: credentials.conversationId, conversation_token: credentials.token }),
      locale: locale(),
      ...(identified && { contact: identified.proof }),
      ...(toolNames.length > 0 && { client_tools: toolNames }),
    };
  }

  async #end(sent: ChatResponse, key: string): Promise<ChatResponse | null> {
    this.#toolCalls.abort();
    // The page gets the response of `send`, and never the token.
    const { conversation_token: token, ...received } = sent;
    await this.#saveCredentials(received.conversation_id, token);
    await this.whenReleased();
    const response = withStreamed(received, liveReply(this.#host.store.state));
    // Only a person leaves a message without a reply.
    const lacksReply = !response.message && response.state === 'ai_active' && !this.#isHidden;
    if (lacksReply) {
      this.#hasServiceFailed = true;
      // After a plain call, too, there is a reply that can be interrupted.
      this.dispatch({ type: 'reply-started', key, at: this.#host.clock.now() });
      throw new ApiError('interrupted', 'accepted');
    }
    this.dispatch({ type: 'reply-ended', response, key, at: this.#host.clock.now() });
    if (response.message && this.isShown) this.#host.onReply();
    // The next tab's turn starts from the stored record.
    await this.#host.archive.flush();
    return this.#isHidden ? null : response;
  }

  /** Stores the credentials before the response that carried them counts as done. Incomplete credentials are ignored. */
  async #saveCredentials(conversationId: string, token = ''): Promise<void> {
    const { archive, store } = this.#host;
    if (!conversationId || !token || archive.credentials?.conversationId === conversationId) return;
    archive.beginConversation(token);
    store.dispatch({ type: 'conversation-known', conversationId });
    await archive.flush();
  }

  async #runTool(data: JsonObject): Promise<void> {
    // A page without tools has offered none, and has nothing to show of a call.
    if (this.#host.tools.names.length === 0) return;
    const report = (run: ToolRun) => this.dispatch({ type: 'tool-changed', run });
    const signal = anySignal([this.signal, this.#toolCalls.signal]);
    await this.#host.tools.run(data, { ...this.#host, signal, report });
  }
}
