/** Replaces the browser's notifications: a test decides what the visitor answers, and sees what is shown. */

interface ShownNotification {
  title: string;
  options: NotificationOptions;
  /** The visitor clicks on it. */
  click(): void;
}

export interface FakeNotifications {
  /** What the browser has shown. */
  readonly shown: ShownNotification[];
  permission: NotificationPermission;
  /** What the visitor answers when the browser asks. */
  answer: NotificationPermission;
  /** Gives the browser its own notifications back. */
  remove(): void;
}

export const fakeNotifications = (): FakeNotifications => {
  const own = Object.getOwnPropertyDescriptor(window, 'Notification')!;
  const fake: FakeNotifications = {
    shown: [],
    permission: 'default',
    answer: 'granted',
    remove: () => void Object.defineProperty(window, 'Notification', own),
  };
  class FakeNotification extends EventTarget {
    static get permission(): NotificationPermission {
      return fake.permission;
    }
    static async requestPermission(): Promise<NotificationPermission> {
      fake.permission = fake.answer;
      return fake.answer;
    }
    constructor(title: string, options: NotificationOptions) {
      super();
      fake.shown.push({ title, options, click: () => this.dispatchEvent(new Event('click')) });
    }
    close(): void {}
  }
  Object.defineProperty(window, 'Notification', { value: FakeNotification, configurable: true });
  return fake;
};
