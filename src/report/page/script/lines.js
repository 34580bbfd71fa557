// Lines chosen by the legend: a button a line, the same in all pictures of a section.
const Lines = class {
  constructor(part) {
    this.legends = [];
    this.pictures = all('figure', part).filter((figure) => figure.querySelector('.line[data-name]'));
    this.pictures.forEach((figure) => this.legend(figure));
    all('.relative', part).forEach((relative) => this.relative(relative));
  }
  lines(name) {
    return this.pictures.flatMap((figure) => all('.line[data-name]', figure)).filter((line) => line.dataset.name === name);
  }
  legend(figure) {
    const svg = figure.querySelector('svg');
    // The drawn legend gives way to the buttons.
    all('.key', figure).forEach((part) => part.remove());
    all('svg', figure).forEach((one) => {
      one.setAttribute('viewBox', `0 0 ${one.viewBox.baseVal.width} ${one.dataset.plain}`);
    });
    const buttons = all('.line[data-name]', svg).map((line) => this.button(line));
    const legend = make('div', '', { class: 'legend', role: 'group', 'aria-label': 'Lines' });
    if (buttons.length > 2) {
      [['all', () => true], ['none', () => false], ['as at the start', (one) => one.dataset.start === 'true']].forEach(([text, is]) => {
        const button = make('button', text, { type: 'button', class: 'plain' });
        button.addEventListener('click', () => buttons.forEach((one) => this.turn(one.dataset.name, is(one))));
        legend.append(button);
      });
    }
    legend.append(...buttons);
    this.legends.push(...buttons);
    all('.scroll', figure).pop().after(legend);
  }
  button(line) {
    const name = line.dataset.name;
    const isOn = !line.classList.contains('off');
    const button = make('button', '', { type: 'button', 'aria-pressed': isOn, 'data-name': name, 'data-start': isOn });
    const dash = drawn('svg', { class: 'plot swatch', viewBox: '0 0 24 8', 'aria-hidden': 'true' });
    dash.append(drawn('path', { class: line.getAttribute('class').replace(' off', ''), d: 'M1 4H23' }));
    button.append(dash, name);
    button.addEventListener('click', () => this.turn(name, button.getAttribute('aria-pressed') !== 'true'));
    ['pointerenter', 'focus'].forEach((event) => button.addEventListener(event, () => this.light(name)));
    ['pointerleave', 'blur'].forEach((event) => button.addEventListener(event, () => this.name === name && this.light()));
    return button;
  }
  turn(name, isOn) {
    this.lines(name).forEach((line) => line.classList.toggle('off', !isOn));
    this.legends.filter((button) => button.dataset.name === name).forEach((button) => button.setAttribute('aria-pressed', isOn));
  }
  // One line stands out, or none: with the pointer on one button and the focus on another, the later one.
  light(name) {
    [this.name, name].filter(Boolean).flatMap((each) => this.lines(each)).forEach((line) => {
      const isLit = line.dataset.name === name;
      line.classList.toggle('lit', isLit);
      line.ownerSVGElement.classList.toggle('dim', isLit && !line.classList.contains('off'));
    });
    this.name = name;
  }
  relative(part) {
    const plain = part.previousElementSibling;
    const button = make('button', part.dataset.name, { type: 'button', class: 'switch', 'aria-pressed': 'false' });
    button.addEventListener('click', () => {
      part.hidden = !part.hidden;
      plain.hidden = !part.hidden;
      button.setAttribute('aria-pressed', !part.hidden);
    });
    plain.before(button);
  }
};
all('.ground').forEach((part) => new Lines(part));
