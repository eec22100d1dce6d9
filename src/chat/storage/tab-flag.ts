/** A boolean that lasts for the browser tab, across its pages. */
export const tabFlag = (name: string) => ({
  get(): boolean {
    try {
      return sessionStorage.getItem(name) !== null;
    } catch {
      // Storage is blocked, so the flag is not remembered.
      return false;
    }
  },
  set(isOn: boolean): void {
    try {
      if (isOn) sessionStorage.setItem(name, '1');
      else sessionStorage.removeItem(name);
    } catch {
      // Storage is blocked.
    }
  },
});
