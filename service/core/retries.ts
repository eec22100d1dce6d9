/** Milliseconds until each next attempt of something that is sent to another system: a delivery of a webhook, an e-mail. */
export const retryDelaysMs = [1, 5, 30, 120, 720].map((minutes) => minutes * 60_000);
