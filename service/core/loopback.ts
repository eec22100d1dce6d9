/** Recognizes URLs of this machine. */

/** Whether the host of a URL or an origin is this machine. */
export const isLoopbackUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
};
