/** Scripts that change the page's built-in objects in the way that well-known libraries do. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Angular's zone.js itself. It replaces promises, timers, events and XMLHttpRequest. */
export const zone = readFileSync(fileURLToPath(import.meta.resolve('zone.js')), 'utf8');

/** Prototype.js 1.6.1: JSON of arrays as text, `Array.from` for lists only, and methods of its own under standard names. */
export const prototypeJs = `{
  const toList = (list) => {
    if (!list) return [];
    if (typeof list.toArray === 'function') return list.toArray();
    const result = [];
    for (let index = 0; index < (list.length || 0); index++) result.push(list[index]);
    return result;
  };
  Array.from = toList;
  Object.assign(Array.prototype, {
    toJSON() { return '[' + toList(this).map((item) => JSON.stringify(item)).join(', ') + ']'; },
    toArray() { return [].concat(this); },
    entries() { return toList(this); },

    first() { return this[0]; },
    last() { return this[this.length - 1]; },
    clear() { this.length = 0; return this; },
    compact() { return this.filter((item) => item != null); },
    each(callback) { for (let index = 0; index < this.length; index++) callback(this[index], index); return this; },
    size() { return this.length; },
  });
  Object.assign(String.prototype, {
    toJSON() { return JSON.stringify('' + this); },
    startsWith(part) { return this.indexOf(part) === 0; },
    endsWith(part) { const at = this.length - part.length; return at >= 0 && this.lastIndexOf(part) === at; },
    strip() { return this.replace(/^\\s+|\\s+$/g, ''); },
    toArray() { return this.split(''); },
  });
  Number.prototype.toJSON = function () { return String(this); };
  Function.prototype.bind = function () {
    const self = this, given = toList(arguments), object = given.shift();
    return function () { return self.apply(object, given.concat(toList(arguments))); };
  };
  Object.assign(HTMLElement.prototype, {
    remove() { this.parentNode.removeChild(this); return this; },
    update(content) { this.innerHTML = content; return this; },
    replace(content) { this.outerHTML = content; return this; },
    insert(content) { this.append(content); return this; },
    select(selector) { return toList(this.querySelectorAll(selector)); },
    scrollTo() { window.scrollTo(0, this.offsetTop); return this; },
    hide() { this.style.display = 'none'; return this; },
    show() { this.style.display = ''; return this; },
    toggle() { return this.style.display ? this.show() : this.hide(); },
    visible() { return this.style.display !== 'none'; },
  });
}`;

/** MooTools 1.3: an `Array.from` that puts an iterable into a list, and methods that are enumerable. */
export const mooTools = `{
  const isList = (item) => item != null && typeof item.length === 'number' && typeof item !== 'string';
  Array.from = (item) => item == null ? [] : Array.isArray(item) ? item : isList(item) ? [].slice.call(item) : [item];
  Number.from = (item) => { const number = parseFloat(item); return isFinite(number) ? number : null; };
  Function.from = (item) => typeof item === 'function' ? item : () => item;
  Function.prototype.bind = function (object, given) {
    const self = this, before = given == null ? null : Array.from(given);
    return function () { return self.apply(object, before || arguments); };
  };
  Object.assign(Array.prototype, {
    clean() { return this.filter((item) => item != null); },
    append(list) { this.push.apply(this, list); return this; },
    contains(item) { return this.indexOf(item) >= 0; },
    include(item) { if (!this.contains(item)) this.push(item); return this; },
    erase(item) { for (let index = this.length; index--;) if (this[index] === item) this.splice(index, 1); return this; },
    empty() { this.length = 0; return this; },
    flatten() { return [].concat.apply([], this); },
    pick() { return this.clean()[0]; },
  });
  Object.assign(String.prototype, { contains(part) { return this.indexOf(part) >= 0; }, clean() { return this.trim(); } });
  Object.assign(Element.prototype, {
    get(name) { return this.getAttribute(name); },
    set(name, value) { this.setAttribute(name, value); return this; },
    erase(name) { this.removeAttribute(name); return this; },
    empty() { while (this.firstChild) this.removeChild(this.firstChild); return this; },
    dispose() { return this.parentNode ? this.parentNode.removeChild(this) : this; },
    destroy() { this.dispose(); return null; },
    clone() { return this.cloneNode(true); },
    addEvent(type, listener) { this.addEventListener(type, listener); return this; },
    fireEvent(type) { this.dispatchEvent(new Event(type)); return this; },
    hide() { return this.set('hidden', ''); },
    show() { return this.erase('hidden'); },
    toggle() { return this.hidden ? this.show() : this.hide(); },
  });
}`;

/** A monitor of real users, such as Datadog RUM: it wraps fetch, XMLHttpRequest, timers and listeners. */
export const monitor = `{
  const monitored = new WeakMap();
  const monitor = (callback) => {
    if (typeof callback !== 'function') return callback;
    if (!monitored.has(callback)) monitored.set(callback, function () { return callback.apply(this, arguments); });
    return monitored.get(callback);
  };
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    return addEventListener.call(this || window, type, monitor(listener), options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    removeEventListener.call(this || window, type, monitored.get(listener) ?? listener, options);
    return removeEventListener.call(this || window, type, listener, options);
  };
  const { fetch, setTimeout, setInterval } = window;
  window.fetch = async function (input, options) {
    const response = await fetch.call(window, input, { ...options, headers: new Headers(options?.headers) });
    void response.clone().text().catch(() => {});
    return response;
  };
  window.setTimeout = (callback, ...more) => setTimeout(monitor(callback), ...more);
  window.setInterval = (callback, ...more) => setInterval(monitor(callback), ...more);
  const { open, send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function () { this.monitored = arguments[1]; return open.apply(this, arguments); };
  XMLHttpRequest.prototype.send = function () { return send.apply(this, arguments); };
  const { pushState } = history;
  history.pushState = function () { return pushState.apply(this, arguments); };
  for (const name of ['log', 'warn', 'error']) {
    const write = console[name];
    console[name] = function () { return write.apply(console, arguments); };
  }
}`;
