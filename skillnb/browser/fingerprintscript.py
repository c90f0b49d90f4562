"""The script that tells what elements are like. It runs in the page, reads no value of any field, and changes nothing.

Its answer is JSON text: ``{"count": n, "prints": [...]}``, the prints being terms of ``terms.fingerprint`` with whether
the element is shown and can be used.
"""

from __future__ import annotations

__all__ = ["INTERACTIVE", "SCRIPT"]

INTERACTIVE = (
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [onclick], [tabindex], [contenteditable],"
    " [role=button], [role=link], [role=checkbox], [role=radio], [role=switch], [role=tab], [role=menuitem],"
    " [role=menuitemcheckbox], [role=menuitemradio], [role=option], [role=combobox], [role=listbox], [role=textbox],"
    " [role=searchbox], [role=spinbutton], [role=slider], [role=treeitem], [role=gridcell]"
)
"""What can be acted on, as a css selector."""

SCRIPT = r"""(elements, most) => {
  const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'select', 'input', 'iframe', 'svg']);
  const INLINE = new Set(['a', 'abbr', 'b', 'bdi', 'code', 'em', 'i', 'label', 'mark', 'q', 's', 'small', 'span',
    'strong', 'sub', 'sup', 'u', 'slot']);
  const KEPT = ['id', 'name', 'class', 'alt', 'title', 'placeholder', 'aria-label', 'data-testid', 'data-test',
    'data-test-id', 'data-cy', 'data-qa', 'for'];
  const IMPLIED = {button: 'button', summary: 'button', textarea: 'textbox', option: 'option', h1: 'heading',
    h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', img: 'img', nav: 'navigation',
    main: 'main', li: 'listitem', tr: 'row', td: 'cell', th: 'columnheader', table: 'table', ul: 'list', ol: 'list',
    article: 'article', dialog: 'dialog', fieldset: 'group', details: 'group', p: 'paragraph'};
  const INPUTS = {button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button',
    checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox'};
  const LABELLED = new Set(['submit', 'reset', 'button']);
  const CONTENT = new Set(['button', 'link', 'heading', 'option', 'tab', 'menuitem', 'menuitemcheckbox',
    'menuitemradio', 'checkbox', 'radio', 'switch', 'treeitem', 'row', 'cell', 'gridcell', 'columnheader',
    'listitem', 'tooltip', '']);
  const ITEMS = new Set(['tr', 'li', 'article']);
  const cut = (text, length) => (text || '').replace(/\s+/g, ' ').trim().slice(0, length);
  const typedInto = element => {
    const given = element.getAttribute('contenteditable');
    return given !== null && given !== 'false' || UNREAD.has(element.localName)
      || ['textbox', 'searchbox', 'combobox', 'spinbutton'].includes(element.getAttribute('role'));
  };
  const gather = (node, out) => {
    if (out.text.length > 400) return;
    if (node.nodeType === 3) { out.text += node.data; return; }
    if (node.nodeType !== 1 || node.hidden || node.getAttribute('aria-hidden') === 'true') return;
    if (node.localName === 'img') { out.text += ' ' + (node.getAttribute('alt') || '') + ' '; return; }
    if (typedInto(node)) return;
    const apart = INLINE.has(node.localName) ? '' : ' ';
    out.text += apart;
    const inside = node.shadowRoot ? node.shadowRoot.childNodes
      : node.localName === 'slot' && node.assignedNodes().length ? node.assignedNodes() : node.childNodes;
    for (const child of inside) gather(child, out);
    out.text += apart;
  };
  const textOf = (node, length) => {
    const out = {text: ''};
    if (node) gather(node, out);
    return cut(out.text, length);
  };
  const byIds = (element, name) => (element.getAttribute(name) || '').split(/\s+/).filter(Boolean)
    .map(id => textOf(element.getRootNode().getElementById?.(id), 120)).filter(Boolean).join(' ');
  const roleOf = element => {
    const given = cut(element.getAttribute('role'), 40).split(' ')[0];
    if (given && given !== 'none' && given !== 'presentation') return given;
    const tag = element.localName;
    if (tag === 'a' || tag === 'area') return element.hasAttribute('href') ? 'link' : '';
    if (tag === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    if (tag === 'input') return element.hasAttribute('list') ? 'combobox' : INPUTS[element.type] || 'textbox';
    return IMPLIED[tag] || '';
  };
  const labelOf = element => cut([...(element.labels || [])].map(each => textOf(each, 120)).join(' '), 120);
  const nameOf = (element, role, label) => {
    const told = byIds(element, 'aria-labelledby') || cut(element.getAttribute('aria-label'), 120) || label
      || cut(element.getAttribute('alt'), 120);
    if (told) return told;
    if (element.localName === 'input' && LABELLED.has(element.type))
      return cut(element.value, 120) || {submit: 'Submit', reset: 'Reset'}[element.type] || '';
    if (CONTENT.has(role) && !typedInto(element)) {
      const text = textOf(element, 120);
      if (text) return text;
    }
    return cut(element.getAttribute('title'), 120) || cut(element.getAttribute('placeholder'), 120);
  };
  const parentOf = element => element.parentElement || element.getRootNode().host || null;
  const places = element => {
    const around = element.parentNode ? element.parentNode.children : [element];
    let at = 0, all = 0;
    for (const each of around) if (each.localName === element.localName) { if (each === element) at = all; all++; }
    return [at, Math.max(all, 1)];
  };
  const step = element => element.localName + '[' + (places(element)[0] + 1) + ']';
  const pathOf = element => {
    let path = '', anchored = '';
    for (let each = element; each; each = parentOf(each)) {
      if (!anchored && each !== element && each.id) anchored = '//*[@id="' + cut(each.id, 120) + '"]' + path;
      path = '/' + step(each) + path;
    }
    return [path, anchored];
  };
  const ancestorsOf = element => {
    const found = [];
    for (let each = parentOf(element); each && found.length < 4; each = parentOf(each)) {
      const role = each.getAttribute('role');
      if (ITEMS.has(each.localName) || role === 'row' || role === 'listitem') found.push(textOf(each, 120));
      else if (/^(section|form|dialog|fieldset|main|aside|nav|table)$/.test(each.localName) || role)
        found.push(cut(each.getAttribute('aria-label'), 80) || byIds(each, 'aria-labelledby')
          || textOf(each.querySelector('h1, h2, h3, h4, legend, caption'), 80));
    }
    return found.filter(Boolean);
  };
  const said = element => {
    const role = roleOf(element);
    return cut(nameOf(element, role, labelOf(element)), 60) || (typedInto(element) ? '' : textOf(element, 60));
  };
  const neighboursOf = element => {
    let inner = element;
    while (inner.parentElement && inner.parentElement.children.length === 1) inner = inner.parentElement;
    const found = [];
    for (const way of ['previousElementSibling', 'nextElementSibling'])
      for (let each = inner[way], count = 0; each && count < 3; each = each[way], count++) found.push(said(each));
    return found.filter(Boolean);
  };
  const framesOf = () => {
    const found = [];
    for (let here = window; here !== here.parent; here = here.parent) {
      try { found.unshift(cut(here.frameElement.name || here.location.pathname, 120)); }
      catch { found.unshift(cut(here === window ? location.pathname : '', 120)); }
    }
    return found;
  };
  const frame = framesOf();
  const hrefOf = element => {
    if (!element.hasAttribute('href') || typeof element.href !== 'string') return '';
    try {
      const there = new URL(element.href);
      return cut(there.origin === location.origin ? there.pathname + there.search : there.href, 300);
    } catch { return ''; }
  };
  const print = element => {
    const role = roleOf(element), label = labelOf(element), [path, anchored] = pathOf(element);
    const [position, siblings] = places(element), box = element.getBoundingClientRect();
    const attributes = KEPT.map(name => ({name, value: cut(element.getAttribute(name), 200)}));
    return {
      shown: box.width > 0 && box.height > 0 && (element.checkVisibility?.({visibilityProperty: true}) ?? true),
      usable: !element.matches(':disabled') && element.getAttribute('aria-disabled') !== 'true',
      print: {
        tag: element.localName, role, name: nameOf(element, role, label), label,
        text: typedInto(element) ? '' : textOf(element, 160),
        type: /^(input|button|select|textarea)$/.test(element.localName) ? cut(element.type, 40) : '',
        attributes: attributes.filter(each => each.value), href: hrefOf(element), frame, path, id_path: anchored,
        ancestors: ancestorsOf(element), neighbours: neighboursOf(element),
        box: {x: Math.round(box.x + scrollX), y: Math.round(box.y + scrollY),
          width: Math.round(box.width), height: Math.round(box.height)},
        position, siblings,
      },
    };
  };
  const count = elements.length;
  return JSON.stringify({count, prints: count > most ? [] : elements.map(print)});
}"""
