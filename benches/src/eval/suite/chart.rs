//! Charts as SVG text, for a page that needs nothing from elsewhere.

use std::fmt::{Display, Formatter, Result};

/// Size of the area between the axes, and of the margins, in units of the view box.
const PLOT: (f64, f64) = (300.0, 170.0);
const MARGIN: (f64, f64) = (44.0, 30.0);
/// Colours that the page's style defines.
pub(super) const N_COLOURS: usize = 8;
/// Height of a row of a bar chart.
const ROW: f64 = 20.0;
/// Room for the labels of bars.
const LABEL: f64 = 130.0;
/// Characters of a bar's label that fit there.
const MAX_LABEL: usize = 22;

/// What a function draws.
struct Drawn<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> Result> Display for Drawn<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0(f)
    }
}

/// A line of a chart.
pub(super) struct Series {
    pub(super) name: String,
    /// Position of the colour, below [`N_COLOURS`].
    pub(super) colour: usize,
    /// By rising first coordinate.
    pub(super) points: Vec<(f64, f64)>,
}

/// A bar with the interval of its value.
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) colour: usize,
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
}

/// Lines over a horizontal axis from `x.0` to `x.1`; the vertical one is 0..=1.
pub(super) fn lines(title: &str, axis: &str, x: (f64, f64), ticks: &[f64], series: &[Series]) -> String {
    Drawn(|svg: &mut Formatter<'_>| draw_lines(svg, title, axis, x, ticks, series)).to_string()
}

fn draw_lines(
    svg: &mut Formatter<'_>,
    title: &str,
    axis: &str,
    x: (f64, f64),
    ticks: &[f64],
    series: &[Series],
) -> Result {
    let legend = 16.0 * series.len().div_ceil(3) as f64;
    let (width, height) = (PLOT.0 + 2.0 * MARGIN.0, PLOT.1 + 2.0 * MARGIN.1 + 14.0 + legend);
    let left = |value: f64| MARGIN.0 + PLOT.0 * (value - x.0) / (x.1 - x.0).max(f64::MIN_POSITIVE);
    let top = |value: f64| MARGIN.1 + PLOT.1 * (1.0 - value.clamp(0.0, 1.0));
    open(svg, title, width, height)?;
    for step in 0..=4 {
        let value = f64::from(step) / 4.0;
        let (y, end) = (top(value), MARGIN.0 + PLOT.0);
        write!(
            svg,
            "<line class=\"grid\" x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{end:.1}\" y2=\"{y:.1}\"/>",
            MARGIN.0
        )?;
        write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
            MARGIN.0 - 6.0,
            y + 3.5
        )?;
    }
    let floor = MARGIN.1 + PLOT.1;
    for tick in ticks {
        write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
            left(*tick),
            floor + 14.0
        )?;
    }
    write!(
        svg,
        "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        MARGIN.0 + PLOT.0 / 2.0,
        floor + 28.0,
        escape(axis)
    )?;
    for one in series {
        let points: Vec<String> = one
            .points
            .iter()
            .map(|(x, y)| format!("{:.1},{:.1}", left(*x), top(*y)))
            .collect();
        write!(
            svg,
            "<polyline class=\"line c{}\" points=\"{}\"/>",
            one.colour,
            points.join(" ")
        )?;
        if one.points.len() <= 10 {
            for (x, y) in &one.points {
                write!(
                    svg,
                    "<circle class=\"dot c{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\"><title>{} {x}: {y:.3}</title></circle>",
                    one.colour,
                    left(*x),
                    top(*y),
                    escape(&one.name)
                )?;
            }
        }
    }
    for (at, one) in series.iter().enumerate() {
        let (x, y) = (
            MARGIN.0 + 110.0 * (at % 3) as f64,
            floor + 44.0 + 16.0 * (at / 3) as f64,
        );
        write!(
            svg,
            "<rect class=\"key c{}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"9\" height=\"9\"/><text class=\"tick\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            one.colour,
            y - 8.0,
            x + 13.0,
            escape(&one.name)
        )?;
    }
    write!(svg, "</svg>")
}

/// Horizontal bars from 0 to the largest value, but at least to `least_top`; values are written with `unit`.
pub(super) fn bars(title: &str, unit: &str, least_top: f64, bars: &[Bar]) -> String {
    Drawn(|svg: &mut Formatter<'_>| draw_bars(svg, title, unit, least_top, bars)).to_string()
}

fn draw_bars(svg: &mut Formatter<'_>, title: &str, unit: &str, least_top: f64, bars: &[Bar]) -> Result {
    let highest = |bar: &Bar| bar.interval.map_or(bar.value, |(_, high)| high.max(bar.value));
    let most = bars
        .iter()
        .map(highest)
        .fold(least_top, f64::max)
        .max(f64::MIN_POSITIVE);
    let room = PLOT.0 + 2.0 * MARGIN.0 - LABEL - 64.0;
    let along = |value: f64| LABEL + room * value.max(0.0) / most;
    open(
        svg,
        title,
        PLOT.0 + 2.0 * MARGIN.0,
        MARGIN.1 + ROW * bars.len() as f64 + 8.0,
    )?;
    for (at, bar) in bars.iter().enumerate() {
        let y = MARGIN.1 + ROW * at as f64;
        let middle = y + ROW / 2.0;
        write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LABEL - 6.0,
            middle + 3.5,
            escape(&fitted(&bar.label))
        )?;
        write!(
            svg,
            "<rect class=\"bar c{}\" x=\"{LABEL:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            bar.colour,
            y + 3.0,
            along(bar.value) - LABEL,
            ROW - 6.0
        )?;
        let mut end = along(bar.value);
        if let Some((low, high)) = bar.interval {
            write!(
                svg,
                "<line class=\"whisker\" x1=\"{:.1}\" y1=\"{middle:.1}\" x2=\"{:.1}\" y2=\"{middle:.1}\"/>",
                along(low),
                along(high)
            )?;
            end = end.max(along(high));
        }
        let digits = if most > 10.0 { 1 } else { 3 };
        write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{:.digits$}{}</text>",
            end + 5.0,
            middle + 3.5,
            bar.value,
            escape(unit)
        )?;
    }
    write!(svg, "</svg>")
}

/// A label with its middle left out where it is too long: its end often holds a number.
fn fitted(label: &str) -> String {
    let chars: Vec<char> = label.chars().collect();
    if chars.len() <= MAX_LABEL {
        return label.to_owned();
    }
    let (head, tail) = (MAX_LABEL / 2, MAX_LABEL - MAX_LABEL / 2 - 1);
    let end = &chars[chars.len() - tail..];
    chars[..head].iter().chain(&['…']).chain(end).collect()
}

fn open(svg: &mut Formatter<'_>, title: &str, width: f64, height: f64) -> Result {
    let title = escape(title);
    write!(
        svg,
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\">"
    )?;
    write!(svg, "<text class=\"title\" x=\"4\" y=\"16\">{title}</text>")
}

/// Text as it may stand in a page.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_within_the_axes_and_names_are_escaped() {
        let series = [Series {
            name: "a<b".to_owned(),
            colour: 1,
            points: vec![(2.0, 0.0), (10.0, 1.5)],
        }];
        let svg = lines("t", "k", (2.0, 10.0), &[2.0, 10.0], &series);
        assert!(svg.contains("points=\"44.0,200.0 344.0,30.0\""), "{svg}");
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b"));
        assert!(svg.ends_with("</svg>"));
    }

    #[test]
    fn long_labels_keep_their_ends() {
        assert_eq!(fitted("bridge (22)"), "bridge (22)");
        assert_eq!(fitted("anonymity_reversion (120)"), "anonymity_r…sion (120)");
    }

    #[test]
    fn the_longest_bar_takes_the_room_and_nothing_gives_an_empty_chart() {
        let bar = |value| Bar {
            label: "x".to_owned(),
            colour: 0,
            value,
            interval: None,
        };
        let svg = bars("t", " ms", 0.0, &[bar(2.0), bar(4.0)]);
        assert!(
            svg.contains("width=\"97.0\"") && svg.contains("width=\"194.0\""),
            "{svg}"
        );
        assert!(!bars("t", "", 0.0, &[]).contains("rect"));
    }
}
