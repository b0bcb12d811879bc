import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.stomp.StompFrame;
import io.netty.handler.codec.stomp.StompSubframeAggregator;
import io.netty.handler.codec.stomp.StompSubframeDecoder;
import io.netty.handler.codec.stomp.StompSubframeEncoder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Netty's STOMP codec: one task per line of standard input, answered by the nanoseconds of processor
 * time that its thread took. Compilation and garbage collection run in other threads and are not
 * counted, in Netty's favour.
 */
public final class StompNetty {
    private static final int CHUNK = 1460;
    private static byte[] corpus;
    private static final List<StompFrame> frames = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        corpus = Files.readAllBytes(Paths.get(arguments[0]));
        decode(corpus.length, frame -> frames.add(frame.retain()));
        System.out.println("ready");
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        BufferedReader tasks = new BufferedReader(new InputStreamReader(System.in));
        for (String task; (task = tasks.readLine()) != null; ) {
            long start = threads.getCurrentThreadCpuTime();
            int done;
            switch (task) {
                case "decode": done = decode(corpus.length, frame -> { }); break;
                case "chunks": done = decode(CHUNK, frame -> { }); break;
                case "encode": done = encode(); break;
                default: throw new IllegalArgumentException(task);
            }
            long time = threads.getCurrentThreadCpuTime() - start;
            if (done != frames.size()) {
                throw new IllegalStateException(done + " frames of " + frames.size());
            }
            System.out.println(time);
        }
    }

    /** Decodes the corpus; each frame is handed over and dropped, as ours are. */
    private static int decode(int chunk, Consumer<StompFrame> consumer) {
        int[] done = {0};
        EmbeddedChannel channel = new EmbeddedChannel(
            new StompSubframeDecoder(),
            new StompSubframeAggregator(1 << 20),
            new SimpleChannelInboundHandler<StompFrame>() {
                @Override
                protected void channelRead0(ChannelHandlerContext context, StompFrame frame) {
                    done[0] += 1;
                    consumer.accept(frame);
                }
            });
        for (int start = 0; start < corpus.length; start += chunk) {
            int length = Math.min(chunk, corpus.length - start);
            channel.writeInbound(Unpooled.wrappedBuffer(corpus, start, length));
        }
        channel.finishAndReleaseAll();
        return done[0];
    }

    private static int encode() {
        EmbeddedChannel channel = new EmbeddedChannel(new StompSubframeEncoder());
        int done = 0;
        for (StompFrame frame : frames) {
            channel.writeOutbound(frame.retainedDuplicate());
            boolean wrote = false;
            for (ByteBuf part; (part = channel.readOutbound()) != null; ) {
                wrote = true;
                part.release();
            }
            if (wrote) {
                done += 1;
            }
        }
        channel.finishAndReleaseAll();
        return done;
    }
}
