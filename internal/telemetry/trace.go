package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// TraceOptions say where traces go.
type TraceOptions struct {
	// Endpoint is the collector's address with its path; nil: no traces are made.
	Endpoint *url.URL
	// Version is this program's, for the collector.
	Version string
	// Logger is told when traces cannot be sent; nil: nobody is.
	Logger *slog.Logger
}

// Bounds of what is kept for a collector that does not answer.
const (
	exportTimeout  = 10 * time.Second
	exportInterval = 5 * time.Second
	maxQueuedSpans = 2048
	// shutdownTimeout bounds how long an end waits for the collector, whatever the context allows.
	shutdownTimeout = 5 * time.Second
)

// NewTracerProvider returns a provider that sends spans by OTLP over HTTP, and shutdown, which sends what is still
// waiting, and returns up when its context ends, or after five seconds. Without an endpoint the provider makes nothing
// and costs nothing. The provider is not registered anywhere; hand it to whoever makes spans.
//
// Whether a request is traced follows its parent; without one it is. A collector that is away costs at most the spans
// that do not fit into the queue.
func NewTracerProvider(ctx context.Context,
	o TraceOptions) (provider trace.TracerProvider, shutdown func(context.Context) error, err error) {
	if o.Endpoint == nil {
		return noop.NewTracerProvider(), func(context.Context) error { return nil }, nil
	}
	exporter, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(o.Endpoint.String()),
		otlptracehttp.WithTimeout(exportTimeout),
		otlptracehttp.WithCompression(otlptracehttp.GzipCompression),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: time.Second,
			MaxInterval: exportTimeout, MaxElapsedTime: 3 * exportTimeout}),
	)
	if err != nil {
		return nil, nil, fmt.Errorf("make the exporter of traces: %w", err)
	}
	logger := o.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	sdk := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(&scrubbing{SpanExporter: exporter, logger: logger}, sdktrace.WithBatchTimeout(exportInterval),
			sdktrace.WithExportTimeout(3*exportTimeout), sdktrace.WithMaxQueueSize(maxQueuedSpans)),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.AlwaysSample())),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "almanac"),
			attribute.String("service.version", o.Version))),
		sdktrace.WithRawSpanLimits(sdktrace.SpanLimits{AttributeValueLengthLimit: maxValue, AttributeCountLimit: 64,
			EventCountLimit: 64, LinkCountLimit: 16, AttributePerEventCountLimit: 16, AttributePerLinkCountLimit: 16}),
	)
	return sdk, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, shutdownTimeout)
		defer cancel()
		if err := sdk.Shutdown(ctx); err != nil {
			return fmt.Errorf("send the last traces: %w", err)
		}
		return nil
	}, nil
}

// scrubbing takes out of spans what the logger takes out of records, and logs failures. The failure is not
// passed on: the library would hand it to a handler that the whole process shares.
type scrubbing struct {
	sdktrace.SpanExporter
	logger *slog.Logger
}

// ExportSpans sends spans without their secrets.
func (s *scrubbing) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	clean := make([]sdktrace.ReadOnlySpan, len(spans))
	for i, span := range spans {
		clean[i] = scrubbedSpan{span}
	}
	if err := s.SpanExporter.ExportSpans(ctx, clean); err != nil && !errors.Is(err, context.Canceled) {
		s.logger.WarnContext(ctx, "traces could not be sent", "spans", len(spans), "error", err)
	}
	return nil
}

// scrubbedSpan is a span without its secrets.
type scrubbedSpan struct{ sdktrace.ReadOnlySpan }

// Name is what the span is called.
func (s scrubbedSpan) Name() string { return scrub(s.ReadOnlySpan.Name()) }

// Attributes are the span's own.
func (s scrubbedSpan) Attributes() []attribute.KeyValue {
	return scrubAttributes(s.ReadOnlySpan.Attributes())
}

// Events are what happened within it, recorded errors among them.
func (s scrubbedSpan) Events() []sdktrace.Event {
	given := s.ReadOnlySpan.Events()
	clean := make([]sdktrace.Event, len(given))
	for i, event := range given {
		event.Name, event.Attributes = scrub(event.Name), scrubAttributes(event.Attributes)
		clean[i] = event
	}
	return clean
}

// Status is how it ended.
func (s scrubbedSpan) Status() sdktrace.Status {
	status := s.ReadOnlySpan.Status()
	status.Description = scrub(status.Description)
	return status
}

// Links are spans it belongs to.
func (s scrubbedSpan) Links() []sdktrace.Link {
	given := s.ReadOnlySpan.Links()
	clean := make([]sdktrace.Link, len(given))
	for i, link := range given {
		link.Attributes = scrubAttributes(link.Attributes)
		clean[i] = link
	}
	return clean
}

func scrubAttributes(given []attribute.KeyValue) []attribute.KeyValue {
	clean := make([]attribute.KeyValue, len(given))
	for i, kv := range given {
		_, known := allowed[string(kv.Key)]
		switch kv.Value.Type() {
		case attribute.BOOL, attribute.INT64, attribute.FLOAT64:
			if !known {
				kv.Value = attribute.StringValue(Redacted)
			}
		case attribute.STRING:
			kv.Value = attribute.StringValue(admit(string(kv.Key), kv.Value.AsString()))
		case attribute.STRINGSLICE:
			texts := kv.Value.AsStringSlice()
			for j := range texts {
				texts[j] = admit(string(kv.Key), texts[j])
			}
			kv.Value = attribute.StringSliceValue(texts)
		default:
			kv.Value = attribute.StringValue(Redacted)
		}
		clean[i] = kv
	}
	return clean
}
