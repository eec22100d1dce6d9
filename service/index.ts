/** The service as a package: what a program needs that runs it. */
export { eraseData } from './db/erase.ts';
export { modelsFromEnvironment } from './model/settings.ts';
export { createService, type Service, type ServiceOptions } from './service.ts';
