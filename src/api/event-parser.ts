/** Finds the events in the text of an event stream (WHATWG HTML, "Server-sent events"), whatever pieces it comes in. */

export interface ServerSentEvent {
  /** `message` when the stream names none. */
  name: string;
  data: string;
  /** For `Last-Event-ID`; undefined when the event has none. */
  id: string | undefined;
}

const lineEndingPattern = /\r\n?|\n/;
const fieldPattern = /^([^:]*):? ?([^]*)$/;

export class EventParser {
  /** The line that has no end yet. */
  #line = '';
  /** A line feed that comes next ends no other line. */
  #isAfterReturn = false;
  #name = '';
  #data: string | undefined;
  #id: string | undefined;

  /** How many characters of the next event have come. */
  get pending(): number {
    return this.#line.length + (this.#data?.length ?? 0);
  }

  /** The events that `text` completes. */
  feed(text: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    if (!text) return events;
    const lines = (this.#isAfterReturn && text.startsWith('\n') ? text.slice(1) : text).split(lineEndingPattern);
    this.#isAfterReturn = text.endsWith('\r');
    lines[0] = this.#line + lines[0]!;
    this.#line = lines.pop()!;
    for (const line of lines) {
      if (line) this.#take(line);
      else this.#end(events);
    }
    return events;
  }

  #take(line: string): void {
    const [, field, value] = fieldPattern.exec(line)!;
    if (field === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (field === 'event') this.#name = value!;
    else if (field === 'id' && !value!.includes('\0')) this.#id = value;
  }

  #end(events: ServerSentEvent[]): void {
    if (this.#data !== undefined) events.push({ name: this.#name || 'message', data: this.#data, id: this.#id });
    this.#name = '';
    this.#data = this.#id = undefined;
  }
}
