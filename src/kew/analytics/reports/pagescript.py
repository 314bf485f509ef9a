"""The script and the style sheet of the interactive page."""

from typing import Final

STYLE: Final = """
body { font: 14px system-ui, sans-serif; margin: 1.5em; color: #222; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin: 1.6em 0 .4em; } .note { color: #555; max-width: 70em; }
table { border-collapse: collapse; font-size: 12px; } th { background: #f3f3f3; text-align: left; cursor: pointer; }
th, td { padding: 2px 8px; border-bottom: 1px solid #ddd; white-space: nowrap; } td.n, th.n { text-align: right; }
tr.E td:first-child { background: #fbd5d5; } tr.W td:first-child { background: #fdf0cf; }
tr.I td:first-child { background: #e4eefb; } tr.link { cursor: pointer; } tr.link:hover { background: #f6f9ff; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(480px, 1fr)); gap: 12px; }
figure { margin: 0; border: 1px solid #ddd; padding: 6px; } figure.told { border: 2px solid #b30; }
figcaption { font-weight: 600; font-size: 13px; } svg { width: 100%; height: auto; display: block; }
.legend { font-size: 11px; } .legend span { margin-right: 1em; display: inline-block; }
.bar { margin: 4px 0; } input, button, select { font: inherit; font-size: 12px; } .scroll { overflow-x: auto; }
.short { max-height: 26em; overflow: auto; } .short th { position: sticky; top: 0; }
@media print { .bar, .note { display: none; } .charts { display: block; }
  .short { max-height: none; }
  figure { break-inside: avoid; margin: 0 0 8px; } }
"""

SCRIPT: Final = r"""
'use strict';
const D = JSON.parse(document.getElementById('data').textContent), page = document.getElementById('page');
const NS = 'http://www.w3.org/2000/svg', W = 560, H = 190, L = 52, R = 8, T = 8, B = 22;
const state = { m: -1, from: null, to: null, chart: '' };
for (const part of location.hash.slice(1).split('&')) {
  const [key, value] = part.split('=').map(decodeURIComponent);
  if (value === undefined) continue;
  if (key === 'm') state.m = Number(value);
  else if (key === 'from' || key === 'to') state[key] = Date.parse(value + 'Z');
  else state[key] = value;
}
function el(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const key in attributes || {}) made.setAttribute(key, attributes[key]);
  made.append(...children);
  return made;
}
function svg(name, attributes, text) {
  const made = document.createElementNS(NS, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return made;
}
const iso = at => new Date(at).toISOString();
const when = at => iso(at).slice(0, 16).replace('T', ' ');
function number(value) {
  if (typeof value !== 'number') return value === null ? '' : String(value);
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e12) return value.toLocaleString('en');
  return size >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(4)));
}
function remember() {
  const parts = [];
  if (state.m >= 0) parts.push('m=' + state.m);
  for (const key of ['from', 'to']) if (state[key] !== null) parts.push(key + '=' + iso(state[key]).slice(0, 19));
  if (state.chart) parts.push('chart=' + state.chart);
  try { history.replaceState(null, '', '#' + parts.join('&')); } catch (problem) { /* some viewers keep no address */ }
}
// Each line of a chart has a hue of its own: steps of the golden angle do not come back to one another.
const colour = (at) => 'hsl(' + (at * 137.508) % 360 + ',65%,' + (38 + 14 * (at % 3)) + '%)';
const last = D.charts.reduce((most, chart) => chart.series.reduce(
  (held, one) => Math.max(held, one.t.length ? one.t[one.t.length - 1] + 1 : 0), most), 1);
const span = () => [state.from === null ? D.start : state.from, state.to === null ? D.start + last * D.step : state.to];

function draw(chart, holder) {
  const [from, to] = span(), lines = chart.series.filter(one => state.m < 0 || one.m === state.m);
  holder.replaceChildren();
  const figure = svg('svg', { viewBox: '0 0 ' + W + ' ' + H, role: 'img', 'aria-label': chart.title });
  let top = chart.limit || 0, bottom = 0, shown = 0;
  for (const one of lines) one.t.forEach((bucket, at) => {
    const moment = D.start + bucket * D.step;
    if (moment < from || moment > to) return;
    [top, bottom] = [Math.max(top, one.v[at]), Math.min(bottom, one.v[at])];
    shown++;
  });
  if (top === bottom) top = bottom + 1;
  const x = at => L + (at - from) / (to - from || 1) * (W - L - R);
  const y = value => H - B - (value - bottom) / (top - bottom) * (H - B - T);
  for (let step = 0; step <= 4; step++) {
    const value = bottom + (top - bottom) * step / 4;
    figure.append(svg('line', { x1: L, x2: W - R, y1: y(value), y2: y(value), stroke: '#eee' }));
    figure.append(svg('text', { x: L - 4, y: y(value) + 3, 'text-anchor': 'end', 'font-size': 9 }, number(value)));
  }
  for (let step = 0; step <= 3; step++) {
    const at = from + (to - from) * step / 3, anchor = step === 0 ? 'start' : step === 3 ? 'end' : 'middle';
    figure.append(svg('text', { x: x(at), y: H - 8, 'text-anchor': anchor, 'font-size': 9 }, when(at)));
  }
  lines.forEach((one) => {
    let path = '', before = -1e18;
    one.t.forEach((bucket, at) => {
      const moment = D.start + bucket * D.step;
      if (moment < from || moment > to) return;
      path += (bucket - before > one.gap ? 'M' : 'L') + x(moment).toFixed(1) + ' ' + y(one.v[at]).toFixed(1);
      before = bucket;
    });
    const paint = colour(chart.series.indexOf(one));
    const look = { d: path, fill: 'none', stroke: paint, 'stroke-width': 1.4, 'stroke-linecap': 'round' };
    figure.append(svg('path', look));
  });
  if (chart.limit) {
    const at = y(chart.limit);
    const look = { class: 'limit', x1: L, x2: W - R, y1: at, y2: at, stroke: '#c00', 'stroke-dasharray': '5 3' };
    figure.append(svg('line', look));
  }
  const brush = svg('rect', { y: T, height: H - B - T, fill: '#39c', opacity: .2, width: 0 });
  figure.append(brush);
  let begun = null;
  const place = event => {
    const box = figure.getBoundingClientRect();
    return Math.min(W - R, Math.max(L, (event.clientX - box.left) / box.width * W));
  };
  const moment = at => from + (at - L) / (W - L - R) * (to - from);
  figure.addEventListener('pointerdown', event => { begun = place(event); figure.setPointerCapture(event.pointerId); });
  figure.addEventListener('pointermove', event => {
    if (begun === null) return;
    const now = place(event);
    brush.setAttribute('x', Math.min(begun, now));
    brush.setAttribute('width', Math.abs(now - begun));
  });
  figure.addEventListener('pointerup', event => {
    const now = place(event), first = Math.min(begun, now), end = Math.max(begun, now);
    begun = null;
    if (end - first <= 6) return;
    [state.from, state.to] = [moment(first), moment(end)];
    everything();
  });
  figure.addEventListener('dblclick', () => { state.from = state.to = null; everything(); });
  const legend = el('div', { class: 'legend' });
  for (const one of lines) {
    const mark = el('span', {}, '■ ' + D.managers[one.m].label + (one.o ? ' ' + one.o : ''));
    mark.style.color = colour(chart.series.indexOf(one));
    legend.append(mark);
  }
  if (chart.left) legend.append(el('span', {}, chart.left + ' more, lower ones, are not drawn'));
  const unit = chart.unit ? ' (' + chart.unit + ')' : '';
  const limit = chart.limit ? ', limit ' + number(chart.limit) : '';
  holder.append(el('figcaption', {}, chart.title + unit + limit), figure);
  holder.append(shown ? legend : el('div', { class: 'legend' }, 'No records here.'));
  holder.className = state.chart === chart.id ? 'told' : '';
}

function table(about, holder) {
  const size = 25, view = { page: 0, text: '', order: -1, down: true };
  const body = el('tbody', {}), count = el('span', {}), search = el('input', { placeholder: 'search', type: 'search' });
  const numeric = about.columns.map((_, at) => about.rows.some(row => typeof row[at] === 'number'));
  const head = el('tr', {}, ...about.columns.map((name, at) => {
    const cell = el('th', numeric[at] ? { class: 'n' } : {}, name);
    cell.addEventListener('click', () => {
      view.down = view.order === at ? !view.down : true;
      view.order = at;
      show();
    });
    return cell;
  }));
  function show() {
    const words = view.text.toLowerCase();
    let rows = about.rows.filter(row => !words || row.some(value => String(value).toLowerCase().includes(words)));
    if (view.order >= 0) {
      const at = view.order, sign = view.down ? -1 : 1;
      rows = rows.slice().sort((a, b) => sign * (a[at] < b[at] ? -1 : a[at] > b[at] ? 1 : 0));
    }
    const pages = Math.max(1, Math.ceil(rows.length / size));
    view.page = Math.min(Math.max(view.page, 0), pages - 1);
    body.replaceChildren(...rows.slice(view.page * size, (view.page + 1) * size).map(row =>
      el('tr', {}, ...row.map((value, at) => el('td', numeric[at] ? { class: 'n' } : {}, number(value))))));
    count.textContent = ' ' + rows.length + ' rows, page ' + (view.page + 1) + ' of ' + pages + ' ';
  }
  const back = el('button', {}, '<'), on = el('button', {}, '>');
  back.addEventListener('click', () => { view.page--; show(); });
  on.addEventListener('click', () => { view.page++; show(); });
  search.addEventListener('input', () => { view.text = search.value; view.page = 0; show(); });
  holder.append(el('h2', {}, about.title), el('div', { class: 'bar' }, search, back, count, on),
    el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, head), body)));
  if (state.q) { search.value = view.text = state.q; }
  show();
}

const overview = el('tbody', {}), findings = el('tbody', {});
const figures = D.charts.map(chart => el('figure', { id: chart.id }));
function choose(manager) { state.m = manager; everything(); }
function everything() {
  remember();
  overview.replaceChildren(...[['all', -1], ...D.managers.map((one, at) => [one, at])].map(([one, at]) => {
    const told = kind => D.findings.filter(row => (at < 0 || row.m === at) && row.severity === kind).length;
    const about = at < 0 ? ['', 'all', '', '', ''] :
      [one.system, one.label, when(one.first), when(one.last), one.records];
    const cells = [...about, told('E'), told('W'), told('I')];
    const row = el('tr', { class: 'link' }, ...cells.map(value => el('td', {}, number(value))));
    if (state.m === at) row.style.fontWeight = 'bold';
    row.addEventListener('click', () => choose(at));
    return row;
  }));
  const [from, to] = span();
  const those = D.findings.filter(row => (state.m < 0 || row.m === state.m) && row.last >= from && row.first <= to);
  findings.replaceChildren(...those.map(row => {
    const cells = [row.severity, row.rule, D.managers[row.m].label, row.subject, row.said, row.times,
      when(row.first), when(row.last), row.advice];
    const made = el('tr', { class: row.severity + ' link' }, ...cells.map(value => el('td', {}, number(value))));
    made.addEventListener('click', () => {
      state.m = row.m; state.chart = row.chart; everything();
      const target = document.getElementById(row.chart);
      if (target) target.scrollIntoView({ behavior: 'smooth', block: 'center' });
    });
    return made;
  }));
  D.charts.forEach((chart, at) => draw(chart, figures[at]));
}
const heads = names => el('thead', {}, el('tr', {}, ...names.map(name => el('th', {}, name))));
page.append(el('h2', {}, 'Queue managers'), el('table', { id: 'overview' },
  heads(['System', 'Queue manager', 'First', 'Last', 'Records', 'Act now', 'Investigate', 'Know']), overview));
page.append(el('h2', {}, 'Findings'), el('div', { class: 'short' }, el('table', { id: 'findings' },
  heads(['', 'Rule', 'Queue manager', 'About', 'Worst', 'Times', 'First', 'Last', 'Advice']), findings)));
page.append(el('h2', {}, 'Over time'), el('div', { class: 'charts' }, ...figures));
for (const about of D.tables) { const holder = el('section', {}); page.append(holder); table(about, holder); }
if (D.remarks.length) page.append(el('h2', {}, 'What the dumps hold besides'));
page.append(...D.remarks.map(line => el('p', {}, line)));
everything();
document.body.dataset.ready = 'yes';
"""
