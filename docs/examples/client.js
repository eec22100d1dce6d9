// A page without the element.
chat.remove();
const list = document.createElement('ol');
const form = document.createElement('form');
const input = Object.assign(document.createElement('input'), { ariaLabel: 'Message' });
form.append(input, ' ', Object.assign(document.createElement('button'), { textContent: 'Send' }));
document.body.style.padding = '0 1rem';
document.body.append(list, form);
globalThis.respond = () => 'We open at nine.';
