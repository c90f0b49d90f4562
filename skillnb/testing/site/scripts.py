"""The little JavaScript that pages have. Handlers work from their own element, so also in frames and shadows."""

from __future__ import annotations

__all__ = [
    "BLOB",
    "COMBOBOX",
    "DIALOG_AT_UNLOAD",
    "DROPDOWN",
    "LAZY",
    "MASK",
    "POLLING",
    "RATING",
    "RERENDER",
    "SEGMENTS",
    "SURROGATE",
    "WAITING",
]

COMBOBOX = """
function comboList(box) { return box.parentElement.querySelector('[role=listbox]'); }
function comboClose(box) { comboList(box).hidden = true; box.setAttribute('aria-expanded', 'false'); }
function comboCommit(box, text) {
  box.value = text; box.dataset.committed = text;
  box.parentElement.querySelector('input[type=hidden]').value = text; comboClose(box);
}
async function comboSuggest(box) {
  const typed = box.value;
  const names = await (await fetch('/people?q=' + encodeURIComponent(typed))).json();
  if (box.value !== typed) return;
  const list = comboList(box);
  list.replaceChildren(...names.map((name, place) => {
    const item = document.createElement('li');
    item.setAttribute('role', 'option'); item.id = list.id + '-' + place; item.textContent = name;
    item.onmousedown = event => { event.preventDefault(); comboCommit(box, name); };
    return item;
  }));
  list.hidden = names.length === 0; box.setAttribute('aria-expanded', String(!list.hidden));
}
function comboKey(box, event) {
  const items = [...comboList(box).children], now = items.findIndex(item => item.ariaSelected === 'true');
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const next = (now + (event.key === 'ArrowDown' ? 1 : -1) + items.length) % items.length;
    items.forEach((item, place) => item.setAttribute('aria-selected', String(place === next)));
    if (items[next]) box.setAttribute('aria-activedescendant', items[next].id);
  } else if (event.key === 'Enter' && !comboList(box).hidden) {
    event.preventDefault(); if (items[now]) comboCommit(box, items[now].textContent);
  } else if (event.key === 'Escape') comboClose(box);
}
function comboLeave(box) {
  if (box.value === '') comboCommit(box, ''); else box.value = box.dataset.committed || '';
  comboClose(box);
}
"""

DROPDOWN = """
function dropOpen(shown) { const list = shown.nextElementSibling; list.hidden = !list.hidden; }
function dropPick(item) {
  const drop = item.closest('.dropdown');
  drop.querySelector('.dropdown-value').textContent = item.textContent;
  drop.querySelector('input').value = item.dataset.value; item.parentElement.hidden = true;
}
"""

SEGMENTS = """
function segment(box) {
  box.value = box.value.replace(/[^0-9]/g, '').slice(0, box.maxLength);
  if (box.value.length === box.maxLength && box.nextElementSibling) box.nextElementSibling.focus();
}
"""

MASK = """
function mask(box, pattern) {
  const digits = box.value.replace(/[^0-9]/g, ''); let out = '', used = 0;
  for (const sign of pattern) {
    if (used >= digits.length) break;
    out += sign === '#' ? digits[used++] : sign;
  }
  box.value = out;
}
"""

RERENDER = """
function rerender(box) {
  const fresh = box.cloneNode(true), place = box.selectionStart;
  fresh.value = box.value.toUpperCase(); box.replaceWith(fresh);
  fresh.focus(); fresh.setSelectionRange(place, place);
}
"""

BLOB = """
function exportTable() {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['order,total\\n1001,25.60\\n1002,41.10\\n'], {type: 'text/csv'}));
  link.download = 'orders.csv'; link.click();
}
"""

LAZY = """
new IntersectionObserver((seen, observer) => {
  for (const {isIntersecting, target} of seen) if (isIntersecting) {
    target.src = target.dataset.src; observer.unobserve(target);
  }
}).observe(document.querySelector('iframe[data-src]'));
"""

POLLING = """
async function poll() {
  const answer = await (await fetch('/live/price')).json();
  document.getElementById('price').textContent = answer.price;
  setTimeout(poll, 150);
}
poll();
"""

DIALOG_AT_UNLOAD = """
let changed = false;
addEventListener('input', () => { changed = true; });
addEventListener('submit', () => { changed = false; });
addEventListener('beforeunload', event => { if (changed) { event.preventDefault(); event.returnValue = ''; } });
"""

WAITING = """
for (const button of document.querySelectorAll('button[data-after]'))
  setTimeout(() => { button.disabled = false; }, 1000 * Number(button.dataset.after));
"""

SURROGATE = """
document.getElementById('half').textContent = 'Half a sign: \\ud83d, and on';
"""

RATING = """
customElements.define('star-rating', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: 'open'});
    root.innerHTML = `<form><div role="group" aria-label="Stars"></div>
      <p><label for="words">Your words</label> <input id="words"></p><button>Send rating</button>
      <p role="status"></p></form>`;
    let stars = 0;
    const group = root.querySelector('[role=group]');
    for (let number = 1; number <= 5; number++) {
      const star = document.createElement('button');
      star.type = 'button'; star.textContent = '\\u2605'; star.ariaLabel = number + (number > 1 ? ' stars' : ' star');
      star.onclick = () => { stars = number; [...group.children].forEach((each, place) => {
        each.ariaPressed = String(place + 1 === number); }); };
      group.append(star);
    }
    root.querySelector('form').onsubmit = async event => {
      event.preventDefault();
      const body = new URLSearchParams({stars, text: root.querySelector('input').value});
      const answer = await fetch('/rating', {method: 'POST', body});
      root.querySelector('[role=status]').textContent = answer.ok ? 'Thank you' : 'Choose stars first';
    };
  }
});
"""
