/** A yes or no that goes along from page to page of one tab. */
export const tabFlag = (name: string) => ({
  get(): boolean {
    try {
      return sessionStorage.getItem(name) !== null;
    } catch {
      // Storage is blocked: each page begins anew.
      return false;
    }
  },
  set(isOn: boolean): void {
    try {
      if (isOn) sessionStorage.setItem(name, '1');
      else sessionStorage.removeItem(name);
    } catch {
      // As above.
    }
  },
});
