/** `workspace-chat/testing`: a fake service and a stub of the element, for the host's own tests. */
export { configureTesting, type TestingOptions } from '../products/testing/configure-testing.ts';
export type * from '../products/testing/fake-reply.ts';
export {
  createFakeService,
  type FakeRequest,
  type FakeService,
  type FakeServiceOptions,
} from '../products/testing/fake-service.ts';
export { routeFakeService, type PlaywrightPage } from '../products/testing/playwright.ts';
export { WorkspaceChatStub, type StubCall } from '../products/testing/workspace-chat-stub.ts';
