/** Uses a store of the browser. Returns null when it is blocked, or full. */
export const attempt = <Value>(operate: () => Value): Value | null => {
  try {
    return operate();
  } catch {
    return null;
  }
};

/** A boolean that lasts for the browser tab, across its pages. Where the storage is blocked, it is not remembered. */
export const tabFlag = (name: string) => ({
  get: (): boolean => attempt(() => sessionStorage.getItem(name) !== null) ?? false,
  set: (isOn: boolean): void =>
    void attempt(() => (isOn ? sessionStorage.setItem(name, '1') : sessionStorage.removeItem(name))),
});
