/** Measures the stages of a turn, one after the other, so that a log entry says why a reply was slow. */

/**
 * `waiting`: for earlier turns of the conversation. `storing`: of the visitor's message. `preparing`: the contact and the actions.
 * `composing`: until the first text, by search or by the model. `tools`: in the visitor's app. `saving`: of the reply.
 */
export type TurnStage = 'waiting' | 'storing' | 'preparing' | 'quota' | 'composing' | 'tools' | 'streaming' | 'saving';

export interface Stages {
  /** Adds the time since the end of the last stage. */
  end(stage: TurnStage): void;
  /** Rounded milliseconds. */
  readonly milliseconds: Partial<Record<TurnStage, number>>;
}

export const startStages = (): Stages => {
  const milliseconds: Partial<Record<TurnStage, number>> = {};
  let last = performance.now();
  return {
    milliseconds,
    end(stage) {
      const at = performance.now();
      milliseconds[stage] = (milliseconds[stage] ?? 0) + Math.round(at - last);
      last = at;
    },
  };
};
