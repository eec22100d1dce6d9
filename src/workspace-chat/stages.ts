/** The core and the panel in one file: both are prefetched together, and compress better together than apart. */
export { ElementCore } from './element-core.ts';
export { Panel } from './panel.ts';
export { toViewState } from './view-state.ts';
export { loadIdleCode } from './idle-code.ts';
