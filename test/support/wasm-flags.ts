/** PGlite runs only for seconds in each process of the tests: optimizing its WebAssembly would cost more than it saves. */
export const wasmFlags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];
