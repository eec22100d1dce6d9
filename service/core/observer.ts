/**
 * Observes the operations of the service, for metrics and traces. Labels never contain an id of a visitor, a text, or any
 * other personal data: only names and codes of the program.
 */

export interface OperationLabels {
  request: { method: string; route: string; status: number };
  turn: { outcome: string; degraded: boolean };
  delivery: { result: string };
  job: { kind: string; result: 'done' | 'failed' | 'interrupted' };
}

export type OperationName = keyof OperationLabels;

export interface Observation<Name extends OperationName> {
  /** Runs work within the operation, so that the operations that it starts belong to this one. */
  run<Value>(work: () => Value): Value;
  /** The first text of a turn's reply. */
  markFirstText(): void;
  /** The time that a stage of the operation took. */
  markStage(stage: string, seconds: number): void;
  end(labels: OperationLabels[Name]): void;
}

export interface Observer {
  /** @param headers The headers of a request, which may name the trace that it belongs to. */
  start<Name extends OperationName>(operation: Name, headers?: Headers): Observation<Name>;
}

const ignored: Observation<OperationName> = {
  run: (work) => work(),
  markFirstText: () => {},
  markStage: () => {},
  end: () => {},
};
export const noObserver: Observer = { start: () => ignored };

export const combineObservers = (observers: Observer[]): Observer => ({
  start<Name extends OperationName>(operation: Name, headers?: Headers) {
    const all = observers.map((observer) => observer.start(operation, headers));
    return {
      run<Value>(work: () => Value): Value {
        return all.reduce<() => Value>((inner, each) => () => each.run(inner), work)();
      },
      markFirstText: () => all.forEach((each) => each.markFirstText()),
      markStage: (stage, seconds) => all.forEach((each) => each.markStage(stage, seconds)),
      end: (labels) => all.forEach((each) => each.end(labels)),
    } satisfies Observation<Name>;
  },
});
