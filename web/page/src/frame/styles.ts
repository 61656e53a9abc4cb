// All styles, in the order in which they count.

import "./frame.css";
import "../board/board.css";
import "../play/play.css";
import "./forms.css";
import "../levels/panels.css";
import "../design/design.css";
import "./last.css";
