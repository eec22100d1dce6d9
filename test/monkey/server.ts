/** The service of a run: conversations with credentials, idempotency and identity as in the contract, and drawn behaviors. */
import type { OptionsBlock } from '../../contract/wire.ts';
import { response } from '../support/fakes/fake-service.ts';
import type { ServerCall } from '../support/servers/server-call.ts';
import { errorResponse } from '../support/servers/server-faults.ts';
import { applicable, behave, isRefusal, type BehaviorName, type ServerTurn } from './behaviors.ts';
import { erasureCountOf, lifetime, markersIn, replyMarker, type Model, type VisitorName } from './model.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Conversation {
  readonly id: string;
  readonly token: string;
  readonly erasureCount: number;
  readonly startedAt: number;
  contact: VisitorName | null;
  endedWith: 'conversation_expired' | 'conversation_not_found' | null;
}

/** A plain call with its idempotency key. `response` is null while it runs. */
interface PlainCall {
  readonly body: string;
  response: object | null;
}

interface ChatBody {
  messages: { content: string }[];
  conversation_id?: string;
  conversation_token?: string;
  stream?: boolean;
  contact?: unknown;
  client_tools?: string[];
}

export interface ServerOptions {
  model: Model;
  time: VirtualTime;
  /** Draws the behavior for the next request. */
  draw: () => BehaviorName;
  /** Returns the verified visitor of a proof. */
  visitorOf: (contact: unknown) => VisitorName | null;
  report: (invariant: string, detail: string) => void;
  log: (line: string) => void;
}

export class MonkeyServer {
  readonly conversations: Conversation[] = [];
  /** The paths of all requests, in which no token may appear. */
  readonly paths: string[] = [];
  /** Requests that left the page before the last erasure are no violation. */
  oldestCountInFlight = 1;
  readonly #options: ServerOptions;
  readonly #plainCalls = new Map<string, PlainCall>();
  readonly #toolCalls = new Map<string, () => void>();
  #count = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Handles a chat call. */
  chat(call: ServerCall): void {
    const { draw, log, visitorOf, report } = this.#options;
    const body = call.json as unknown as ChatBody;
    const content = body.messages.map((message) => message.content).join('\n');
    const markers = markersIn(content);
    const visitor = visitorOf(body.contact);
    const key = call.received.headers.get('idempotency-key');
    this.paths.push(call.received.path);
    this.#checkErasures(markers, visitor, body.conversation_id);

    const known = key ? this.#plainCalls.get(key) : undefined;
    if (known && known.body !== call.received.body) {
      report('idempotency key reused', `with another body: ${content}`);
      return void errorResponse(422, 'idempotency_key_reused')(call);
    }
    if (known?.response) {
      log(`  request ${markers.join()} → the first response again`);
      this.#options.model.recordAccepted(markers, this.#options.time.now);
      return call.respond(200, 'application/json', JSON.stringify(known.response), { 'idempotent-replayed': 'true' });
    }

    const conversation = this.conversations.find(({ id }) => id === body.conversation_id) ?? null;
    const refusal = body.conversation_id ? this.#refusal(conversation, body, visitor) : null;
    if (refusal) {
      log(`  request ${markers.join()} → ${refusal.join(' ')}`);
      return void errorResponse(...refusal)(call);
    }
    const turn = this.#turn(call, body, { markers, visitor, conversation, key });
    const behavior = applicable(draw(), turn);
    log(
      `  request ${markers.join()}${visitor ? ` of ${visitor}` : ''}${conversation ? ` in ${conversation.id}` : ''} → ${behavior}`,
    );
    if (!isRefusal(behavior)) this.#countProcessed(markers, key ?? `call ${++this.#count}`);
    behave(behavior, turn);
  }

  /** Handles the result of a client tool. */
  toolResult(call: ServerCall): void {
    this.paths.push(call.received.path);
    const onResult = this.#toolCalls.get(String(call.json['call_id']));
    if (!onResult) return void errorResponse(404, 'unknown_call')(call);
    call.respond(200, 'application/json', '{"ok":true}');
    onResult();
  }

  #refusal(
    conversation: Conversation | null,
    body: ChatBody,
    visitor: VisitorName | null,
  ): [status: number, code: string] | null {
    const { time } = this.#options;
    if (!conversation || conversation.token !== body.conversation_token) return [404, 'conversation_not_found'];
    if (time.now - conversation.startedAt >= lifetime) conversation.endedWith = 'conversation_expired';
    const { endedWith, contact } = conversation;
    if (endedWith) {
      this.#allowLossOfAccepted();
      return [endedWith === 'conversation_expired' ? 410 : 404, endedWith];
    }
    return visitor && contact && visitor !== contact ? [409, 'identity_mismatch'] : null;
  }

  #turn(
    call: ServerCall,
    body: ChatBody,
    request: { markers: string[]; visitor: VisitorName | null; conversation: Conversation | null; key: string | null },
  ): ServerTurn {
    const { model, time } = this.#options;
    const { markers, visitor, key } = request;
    let { conversation } = request;
    const number = ++this.#count;
    const text = `Reply ${number} to ${markers.map(replyMarker).join(' and ')}.`;
    if (key) this.#plainCalls.set(key, { body: call.received.body, response: null });
    return {
      call,
      time,
      text,
      isStreamed: body.stream === true,
      hasConversation: conversation !== null,
      hasContact: visitor !== null,
      offersTools: body.stream === true && (body.client_tools ?? []).length > 0,
      process: ({ blocks, ...fields }: { blocks?: OptionsBlock[] } = {}) => {
        conversation ??= this.#start(markers, visitor);
        conversation.contact ??= visitor;
        const whole = response({
          conversation_id: conversation.id,
          ...(!request.conversation && { conversation_token: conversation.token }),
          message: { id: `msg_${number}`, role: 'assistant', content: text, blocks: blocks ?? null },
          ...fields,
        });
        if (key) this.#plainCalls.set(key, { body: call.received.body, response: whole });
        return whole;
      },
      accept: () => model.recordAccepted(markers, time.now),
      endConversation: (code) => {
        conversation!.endedWith = code;
        this.#allowLossOfAccepted();
      },
      mistakeVisitor: () =>
        model.allowLoss('the service reported another visitor', ({ marker }) => !markers.includes(marker)),
      callTool: (onResult) => {
        const callId = `call_${number}`;
        conversation ??= this.#start(markers, visitor);
        this.#toolCalls.set(callId, onResult);
        const { id, token } = conversation;
        const credentials = { conversation_id: id, conversation_token: token };
        return { call_id: callId, ...credentials, name: 'look_up_order', arguments: {}, timeout_ms: 15_000 };
      },
      optionsBlock: () => this.#optionsBlock(markers),
    };
  }

  /** Returns a block that offers two texts to the visitor of the request. */
  #optionsBlock(markers: string[]): OptionsBlock {
    const { model, time } = this.#options;
    const erasureCount = markers[0] ? erasureCountOf(markers[0]) : model.erasureCount;
    const options = [1, 2].map((option) => {
      const offered = model.createText(time.now, erasureCount);
      offered.isOwned = false;
      return { label: `Option ${option}: ${offered.marker}`, value: `Chosen ${offered.marker}` };
    });
    return { type: 'options', prompt: 'Choose one', options };
  }

  #start(markers: string[], visitor: VisitorName | null): Conversation {
    const number = this.conversations.length + 1;
    const conversation: Conversation = {
      id: `cnv_${number}`,
      token: `tok_secret_${number}_x`,
      erasureCount: markers[0] ? erasureCountOf(markers[0]) : 0,
      startedAt: this.#options.time.now,
      contact: visitor,
      endedWith: null,
    };
    this.conversations.push(conversation);
    return conversation;
  }

  /** The widget may drop the messages of a conversation that has ended, but nothing that was not confirmed. */
  #allowLossOfAccepted(): void {
    this.#options.model.allowLoss('its conversation has ended', ({ isAccepted }) => isAccepted);
  }

  #countProcessed(markers: string[], key: string): void {
    for (const marker of markers) this.#options.model.texts.get(marker)?.processed.add(key);
  }

  #checkErasures(markers: string[], visitor: VisitorName | null, conversationId: string | undefined): void {
    const { model, report } = this.#options;
    const conversation = this.conversations.find(({ id }) => id === conversationId);
    for (const marker of markers) {
      const erasureCount = erasureCountOf(marker);
      if (erasureCount < this.oldestCountInFlight)
        report('erased content was sent', `${marker} was posted after erasure ${model.erasureCount}`);
      if (visitor && model.verifiedIn(erasureCount) !== visitor) {
        report('proof of another visitor', `${marker} was posted with the proof of ${visitor}`);
      }
      if (conversation && conversation.erasureCount !== erasureCount) {
        report(
          'conversation with another erasure count',
          `${marker} was posted in ${conversation.id} of erasure ${conversation.erasureCount}`,
        );
      }
    }
  }
}
